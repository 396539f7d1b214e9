import type { StreamMetricsLine, StreamScores } from 'evenhand/studio';
import { LineChart, type Series } from '../../charts/line-chart.js';
import { Figure } from '../../parts/figure.js';
import { Legend } from '../../parts/legend.js';
import { Loading } from '../../parts/notices.js';
import type { StreamHistory } from '../../server/stream-history.js';

/** Over which rows metrics are taken: a window of the last ones, or all with weights that fade. */
export const MEASURES = ['windowed', 'faded'] as const;
export type Measure = (typeof MEASURES)[number];

/** Classes that get a curve each: the rarest of late, and the commonest to compare with. */
const MOST_CLASSES = 10;

const SCORES: readonly (readonly [key: 'balancedAccuracy' | 'gMean' | 'kappa', name: string])[] = [
  ['balancedAccuracy', 'balanced accuracy'],
  ['gMean', 'G-mean'],
  ['kappa', 'kappa'],
];

interface StreamChartsProps {
  readonly history: StreamHistory;
  readonly now: StreamMetricsLine;
  readonly measure: Measure;
  readonly isRunning: boolean;
}

/** How good answers have been, row by row. */
export function StreamCharts({ history, now, measure, isRunning }: StreamChartsProps) {
  const lines = withLatest(history.metrics, now);
  if (lines.length === 0)
    return isRunning ? <Loading what="Waiting for metrics" /> : <p class="note">Nothing has been measured yet.</p>;
  const marked = history.drifts.map(({ row }) => row);
  const scores = SCORES.map(
    ([key, name], i): Series => ({
      id: key,
      name,
      colour: i,
      points: pointsOf(lines, measure, (one) => one[key]),
    }),
  );
  const { shown, isPart } = shownClasses(now);
  const recalls = shown.map(
    (p, i): Series => ({
      id: String(p),
      name: now.classes[p] ?? '',
      colour: i,
      points: pointsOf(lines, measure, ({ recall }) => recall[p] ?? null),
    }),
  );
  const dashed = marked.length === 0 ? '' : ' Dashed lines: detected changes.';
  return (
    <div class="charts">
      <Figure title="Answers" caption={`Every row was predicted before it was learned from.${dashed}`}>
        <Legend series={scores} />
        <LineChart
          label="Balanced accuracy, G-mean and kappa over rows"
          quantity="share"
          axis="row"
          series={scores}
          shares
          marked={marked}
        />
      </Figure>
      <Figure
        title="Recall per class"
        caption={`The class with the fewest recent rows first${isPart ? ', and the commonest last' : ''}.${dashed}`}
      >
        <Legend series={recalls} />
        <LineChart
          label="Recall of every class over rows"
          quantity="recall"
          axis="row"
          series={recalls}
          shares
          marked={marked}
        />
      </Figure>
    </div>
  );
}

/** A checkpoint may be newer than the last line of the log. */
function withLatest(lines: readonly StreamMetricsLine[], now: StreamMetricsLine): readonly StreamMetricsLine[] {
  return now.rows > (lines.at(-1)?.rows ?? 0) ? [...lines, now] : lines;
}

function shownClasses({ classes, recentRows }: StreamMetricsLine) {
  const bySize = classes.map((_, p) => p).sort((a, b) => (recentRows[a] ?? 0) - (recentRows[b] ?? 0));
  const isPart = bySize.length > MOST_CLASSES;
  return { shown: isPart ? [...bySize.slice(0, MOST_CLASSES - 1), ...bySize.slice(-1)] : bySize, isPart };
}

function pointsOf(
  lines: readonly StreamMetricsLine[],
  measure: Measure,
  read: (scores: StreamScores) => number | null,
): (readonly [number, number])[] {
  return lines.flatMap((line) => {
    const value = read(line[measure]);
    return value === null ? [] : [[line.rows, value] as const];
  });
}
