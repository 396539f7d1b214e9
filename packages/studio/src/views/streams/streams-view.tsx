import { addressOf } from '../../navigation/route.js';
import { ago, counted, percent } from '../../parts/format.js';
import { Empty, Loading } from '../../parts/notices.js';
import { StateMark } from '../../parts/state-mark.js';
import { runs, streams } from '../../server/run-store.js';

/** All streams. */
export function StreamsView() {
  if (runs.value === undefined) return <Loading what="Looking for streams" />;
  if (streams.value.length === 0) {
    return (
      <Empty title="No streams yet">
        <p>
          A stream predicts rows as they come and learns from them when their classes are known. Start one in a
          terminal:
        </p>
        <pre>
          <code>npx evenhand stream events.ndjson --follow --target class --folder streams/events</code>
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
      <h1>Streams</h1>
      <ul class="cards">
        {streams.value.map(({ id, name, folder, isRunning, last, changed }) => (
          <li key={id}>
            <a href={addressOf(['streams', id])}>
              <bdi>{name}</bdi>
            </a>
            <span class="note">{folder}</span>
            <StateMark state={isRunning ? 'running' : 'stopped'} label={isRunning ? 'running' : 'not running'} />
            {last === null ? null : (
              <span>
                {counted(last.rows, 'row')}, balanced accuracy {percent(last.balancedAccuracy)}, G-mean{' '}
                {percent(last.gMean)}
              </span>
            )}
            <span class="note">{ago(changed)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
