import {
  type LoggedLine,
  type LoggedMetrics,
  readStreamLog,
  type StreamLogEntry,
} from '../../stream/folder/stream-log.js';
import type { StreamMetrics } from '../../stream/learner/stream-metrics.js';
import type { StreamLine, StreamLinesAnswer, StreamMetricsLine, StreamScores } from '../interface.js';

/** Lines of metrics, and bytes of them, that are sent at once: of more, every so many are left out. */
const MOST = { lines: 1000, bytes: 4_000_000 };

/** What the log of a stream says beyond an id, which is the end of the last line that is known. */
export async function streamLinesSince(folder: string, id: string): Promise<StreamLinesAnswer['events']> {
  const from = /^\d{1,15}$/.test(id) ? Number(id) : 0;
  return thinned(await readStreamLog(folder, from), from).map(({ entry, end }) => ({
    id: String(end),
    event: lineOf(entry),
  }));
}

function thinned(lines: readonly LoggedLine[], from: number): readonly LoggedLine[] {
  const metrics = lines.filter(({ entry }) => entry.kind === 'metrics').length;
  const bytes = (lines.at(-1)?.end ?? from) - from;
  const step = Math.ceil(Math.max(metrics / MOST.lines, bytes / MOST.bytes));
  if (step <= 1) return lines;
  let seen = 0;
  // The last one is what is so now.
  return lines.filter(({ entry }) => entry.kind !== 'metrics' || ++seen % step === 0 || seen === metrics);
}

function lineOf(entry: StreamLogEntry): StreamLine {
  return entry.kind === 'metrics' ? metricsLine(entry) : entry;
}

/** What the page shows of metrics. */
export function metricsLine(metrics: LoggedMetrics | StreamMetrics): StreamMetricsLine {
  const { rows, labelled, waiting, classes, recentRows, faded, windowed } = metrics;
  const scores = ({ recall, balancedAccuracy, gMean, accuracy, kappa }: StreamScores): StreamScores => ({
    recall,
    balancedAccuracy,
    gMean,
    accuracy,
    kappa,
  });
  return {
    kind: 'metrics',
    rows,
    labelled,
    waiting,
    classes,
    recentRows,
    faded: scores(faded),
    windowed: scores(windowed),
  };
}
