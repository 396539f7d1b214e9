import type { SweepDetails } from 'evenhand/studio';
import { useState } from 'preact/hooks';
import { addressOf } from '../../navigation/route.js';
import { saveCsv } from '../../parts/csv.js';
import { counted, NONE, optionText, percent } from '../../parts/format.js';
import { Fault, Loading } from '../../parts/notices.js';
import { StateMark } from '../../parts/state-mark.js';
import { useAnswer } from '../../parts/use-answer.js';
import { messageOf, send } from '../../server/api.js';
import { listVersion, runs } from '../../server/run-store.js';
import { History, ParallelCoordinates, Rungs, ScoreMap } from './sweep-charts.js';

/** A sweep: what it has found, and what it does now. */
export function SweepView({ id }: { readonly id: string }) {
  const { answer, fault } = useAnswer<SweepDetails>(`/api/sweeps/${id}`, listVersion.value);
  if (fault !== undefined) return <Fault message={fault} />;
  if (answer === undefined) return <Loading what="Reading the sweep" />;
  return <Details details={answer} />;
}

function Details({ details }: { readonly details: SweepDetails }) {
  const { sweep, sampler, draws, planned, trials, running, canStop } = details;
  const [said, setSaid] = useState('');
  const stop = () => {
    setSaid('stopping…');
    send('POST', `/api/sweeps/${sweep.id}/stop`, {}).catch((error: unknown) => setSaid(messageOf(error)));
  };
  const best = trials.reduce<number | null>(
    (high, { score, isComplete }) => (isComplete && score !== null ? Math.max(high ?? score, score) : high),
    null,
  );
  return (
    <>
      <p class="trail">
        <a href={addressOf(['sweeps'])}>Sweeps</a> / <span>{sweep.folder}</span>
      </p>
      <h1>
        <bdi>{sweep.name}</bdi>
      </h1>
      <p class="facts">
        <StateMark state={sweep.isRunning ? 'running' : trials.length < planned ? 'stopped' : 'finished'} />
        <span>
          {trials.length} of {counted(planned, 'trial')}
        </span>
        <span>sampler {sampler}</span>
        <span>{counted(draws, 'draw')} each</span>
        <span>best {percent(best)}</span>
        {canStop && sweep.isRunning ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : null}
        <span role="status">{sweep.isRunning ? said : ''}</span>
      </p>
      {running.length === 0 ? null : (
        <p>
          Training now:{' '}
          {running.map((run, i) => (
            <span key={run}>
              {i === 0 ? '' : ', '}
              <a href={addressOf(['runs', run])}>{runs.value?.get(run)?.folder ?? run}</a>
            </span>
          ))}
        </p>
      )}
      {trials.length === 0 ? (
        <p class="note">No trial has a result yet.</p>
      ) : (
        <>
          <div class="charts pairs">
            <History details={details} />
            <ParallelCoordinates details={details} />
            <ScoreMap details={details} />
            <Rungs details={details} />
          </div>
          <Trials details={details} />
        </>
      )}
    </>
  );
}

function Trials({ details: { sweep, search, trials } }: { readonly details: SweepDetails }) {
  const ranked = [...trials].sort(
    (a, b) => Number(b.isComplete) - Number(a.isComplete) || (b.score ?? -1) - (a.score ?? -1),
  );
  const head = ['trial', 'soft accuracy', 'epochs', ...search.map(({ path }) => path)];
  const rows = ranked.map(({ trial, score, standardError, epoch, isComplete, values }) => [
    String(trial),
    score === null
      ? 'diverged'
      : `${percent(score)}${standardError === null ? '' : ` ± ${(100 * standardError).toFixed(1)}`}`,
    `${epoch}${isComplete ? '' : ' (stopped)'}`,
    ...search.map(({ path }) => optionText(values[path] ?? null) || NONE),
  ]);
  return (
    <section>
      <h2>Trials</h2>
      <section class="scroll tall" tabIndex={0} aria-label="Trials">
        <table>
          <thead>
            <tr>
              {head.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([trial, ...cells]) => (
              <tr key={trial}>
                <th scope="row">{trial}</th>
                {cells.map((text, i) => (
                  <td key={head[i + 1]}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div class="table-foot">
        <span class="save">
          <button
            type="button"
            aria-label="Save “Trials” as CSV"
            onClick={() => saveCsv([head, ...rows], `${sweep.name} trials`)}
          >
            CSV
          </button>
        </span>
      </div>
    </section>
  );
}
