import type { StreamDetails, StreamMetricsLine } from 'evenhand/studio';
import { useEffect } from 'preact/hooks';
import { addressOf, route, setQuery } from '../../navigation/route.js';
import { CopyBox } from '../../parts/copy-box.js';
import { ago, count, counted, NONE, percent } from '../../parts/format.js';
import { Empty, Fault, Loading } from '../../parts/notices.js';
import { StateMark } from '../../parts/state-mark.js';
import { useAnswer } from '../../parts/use-answer.js';
import { Values } from '../../parts/values.js';
import { runs, streams } from '../../server/run-store.js';
import { type StreamHistory, useStreamHistory } from '../../server/stream-history.js';
import { MEASURES, type Measure, StreamCharts } from './stream-charts.js';
import { StreamClasses } from './stream-classes.js';

/** A stream: how good its answers are, what has changed, and what it was told. */
export function StreamView({ id }: { readonly id: string }) {
  const summary = streams.value.find((one) => one.id === id);
  const history = useStreamHistory(id);
  const { answer: details, fault } = useAnswer<StreamDetails>(
    `/api/streams/${id}`,
    `${summary?.changed} ${summary?.isRunning}`,
  );
  if (runs.value === undefined) return <Loading what="Looking for the stream" />;
  if (summary === undefined) {
    return (
      <Empty title="This stream no longer exists">
        <p>
          Its folder was removed, or is not below the folders that the studio shows.{' '}
          <a href={addressOf(['streams'])}>Back to the streams</a>
        </p>
      </Empty>
    );
  }
  if (fault !== undefined) return <Fault message={fault} />;
  if (details === undefined) return <Loading what="Reading the stream" />;
  return <Details details={{ ...details, stream: summary }} history={history} />;
}

interface DetailsProps {
  readonly details: StreamDetails;
  readonly history: StreamHistory;
}

function Details({ details, history }: DetailsProps) {
  const { stream, metrics: saved, options } = details;
  const measure: Measure = route.value.query.get('measure') === 'faded' ? 'faded' : 'windowed';
  useEffect(() => {
    const before = document.title;
    document.title = `${stream.name} · Evenhand studio`;
    return () => {
      document.title = before;
    };
  }, [stream.name]);
  const now = latest(saved, history);
  return (
    <>
      <header class="run-head">
        <p class="trail">
          <a href={addressOf(['streams'])}>Streams</a> / <span>{stream.folder}</span>
        </p>
        <h1>
          <bdi>{stream.name}</bdi>
        </h1>
        <p class="facts">
          <StateMark
            state={stream.isRunning ? 'running' : 'stopped'}
            label={stream.isRunning ? 'running' : 'not running'}
          />
          <span>{counted(now.rows, 'row')}</span>
          <span>{count(now.labelled)} with labels</span>
          {now.waiting === 0 ? null : <span>{count(now.waiting)} waiting for a label</span>}
          <span>{now.classes.length === 1 ? '1 class' : `${count(now.classes.length)} classes`}</span>
          <span>{options.method}</span>
          <span>{ago(stream.changed)}</span>
        </p>
      </header>
      <p class="toolbar">
        <label class="check">
          <span>Measured</span>
          <select
            value={measure}
            onChange={({ currentTarget }) => setQuery({ measure: currentTarget.value === 'faded' ? 'faded' : '' })}
          >
            {MEASURES.map((one) => (
              <option key={one} value={one}>
                {measureText(one, details)}
              </option>
            ))}
          </select>
        </label>
      </p>
      <Tiles now={now} measure={measure} />
      <StreamCharts history={history} now={now} measure={measure} isRunning={stream.isRunning} />
      <StreamClasses now={now} history={history} measure={measure} />
      <Drifts history={history} detector={String(options.drift)} />
      <Settings details={details} history={history} />
    </>
  );
}

/** The newer of the last line of the log and the last checkpoint. */
function latest(saved: StreamMetricsLine, { metrics }: StreamHistory): StreamMetricsLine {
  const last = metrics.at(-1);
  return last === undefined || last.rows < saved.rows ? saved : last;
}

function measureText(measure: Measure, { options }: StreamDetails): string {
  return measure === 'windowed'
    ? `on the last ${counted(Number(options.window), 'row')}`
    : `on all rows, fading × ${options.fading} per row`;
}

function Tiles({ now, measure }: { readonly now: StreamMetricsLine; readonly measure: Measure }) {
  const { balancedAccuracy, gMean, kappa, accuracy } = now[measure];
  const tiles: readonly (readonly [title: string, value: string])[] = [
    ['balanced accuracy', percent(balancedAccuracy)],
    ['G-mean', percent(gMean)],
    ['kappa', kappa === null ? NONE : kappa.toFixed(2)],
    ['accuracy', percent(accuracy)],
  ];
  return (
    <ul class="tiles">
      {tiles.map(([title, value]) => (
        <li key={title}>
          <span class="what">{title}</span>
          <span class="value">{value}</span>
        </li>
      ))}
    </ul>
  );
}

function Drifts({ history: { drifts }, detector }: { readonly history: StreamHistory; readonly detector: string }) {
  return (
    <section>
      <h2>Changes</h2>
      {drifts.length === 0 ? (
        <p class="note">{detector === 'none' ? 'Change detection is off for this stream.' : 'No change was found.'}</p>
      ) : (
        <ul class="events">
          {[...drifts].reverse().map(({ row, class: name, level }) => (
            <li key={`${row} ${name ?? ''}`}>
              row {count(row)}:{' '}
              {name === undefined ? (
                'the share of correct answers'
              ) : (
                <>
                  the recall of <bdi>{name}</bdi>
                </>
              )}{' '}
              fell to {percent(level)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Settings({ details, history: { damaged } }: DetailsProps) {
  const { stream, records, position, columns, options, serveCommand } = details;
  const place = {
    lines: records,
    position,
    'lines that could not be read': damaged.length,
    columns: columns.map(({ name, kind }) => `${name} (${kind})`).join(', '),
  };
  return (
    <>
      {serveCommand === null ? null : (
        <>
          <h2>Serve its model</h2>
          <CopyBox label="Command that serves the model" text={serveCommand} />
        </>
      )}
      <Values title="Last checkpoint" heading="what" name={stream.name} values={place} />
      <Values title="Settings" name={stream.name} values={options} />
    </>
  );
}
