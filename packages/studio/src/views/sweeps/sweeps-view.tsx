import { addressOf } from '../../navigation/route.js';
import { Empty, Loading } from '../../parts/notices.js';
import { StateMark } from '../../parts/state-mark.js';
import { runs, sweeps } from '../../server/run-store.js';

/** All sweeps. */
export function SweepsView() {
  if (runs.value === undefined) return <Loading what="Looking for sweeps" />;
  if (sweeps.value.length === 0) {
    return (
      <Empty title="No sweeps yet">
        <p>A sweep searches for good values of options, using only validation data. Start one in a terminal:</p>
        <pre>
          <code>
            npx evenhand sweep data.csv --target class --search optimizer.learningRate=log:1e-4..0.1 --folder runs/sweep
          </code>
        </pre>
        <p>
          It appears here automatically if its folder is below those that the studio shows; if not, start the studio
          with that folder, too.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <h1>Sweeps</h1>
      <ul class="cards">
        {sweeps.value.map(({ id, name, folder, isRunning }) => (
          <li key={id}>
            <a href={addressOf(['sweeps', id])}>
              <bdi>{name}</bdi>
            </a>
            <span class="note">{folder}</span>
            <StateMark state={isRunning ? 'running' : 'stopped'} label={isRunning ? 'running' : 'not running'} />
          </li>
        ))}
      </ul>
    </>
  );
}
