import { type Html, html } from '../../report/html.js';
import { seriesLegend } from '../../report/legend.js';
import { named } from '../../report/names.js';
import { section } from '../../report/page.js';
import { rowCurvesChart } from '../../report/plots/curves.js';
import { counted } from '../../wording/numbers.js';
import type { StreamMetrics } from '../learner/stream-metrics.js';
import type { StreamData } from './stream-data.js';

/** Points of a curve; of more lines, every so many. */
const MOST_POINTS = 500;
/** Classes that get a curve each: the rarest of late, and the commonest to compare with. */
const MOST_CLASSES = 10;

const SCORES = [
  ['balancedAccuracy', 'balanced accuracy'],
  ['gMean', 'G-mean'],
  ['kappa', 'kappa'],
] as const;

type Measure = 'windowed' | 'faded';
/** What the log and the last checkpoint have in common. */
type Measured = Pick<StreamMetrics, 'rows' | Measure>;

/** How good answers were over time, as pictures. */
export function answersSection(data: StreamData): Html {
  const points = pointsOf(data);
  if (points.length === 0) return section('Answers', html`<p>Nothing has been measured yet.</p>`);
  const { window, fading } = data.options;
  const measures: readonly (readonly [measure: Measure, text: string])[] = [
    ['windowed', `on the last ${counted(window, 'row')}`],
    ['faded', `on all rows, weights fading by a factor of ${fading} per row`],
  ];
  return section(
    'Answers',
    html`<div class="charts">
${measures.map(([measure, text]) => scoresFigure(data, points, measure, text))}
${measures.map(([measure, text]) => recallFigure(data, points, measure, text))}
</div>`,
  );
}

/** The lines of the log, and the last checkpoint where it is newer. */
function pointsOf({ measured, metrics }: StreamData): readonly Measured[] {
  const step = Math.max(1, Math.ceil(measured.length / MOST_POINTS));
  const shown = measured.filter((_, i) => (measured.length - 1 - i) % step === 0);
  return metrics.windowed.rows > 0 && metrics.rows > (shown.at(-1)?.rows ?? 0) ? [...shown, metrics] : shown;
}

function scoresFigure({ changes }: StreamData, points: readonly Measured[], measure: Measure, text: string): Html {
  return html`<figure><h3>Metrics ${text}</h3>${seriesLegend(SCORES.map(([, name]) => name))}${rowCurvesChart({
    label: `Balanced accuracy, G-mean and kappa over rows, ${text}`,
    quantity: 'share',
    curves: SCORES.map(([key], series) => ({
      series,
      points: points.map((one) => [one.rows, one[measure][key]] as const),
    })),
    marked: changes.map(({ row }) => row),
  })}
${dashedNote(changes.length)}</figure>
`;
}

function recallFigure(data: StreamData, points: readonly Measured[], measure: Measure, text: string): Html {
  const { classes, recentRows } = data.metrics;
  const bySize = classes.map((_, p) => p).sort((a, b) => (recentRows[a] ?? 0) - (recentRows[b] ?? 0));
  const isPart = bySize.length > MOST_CLASSES;
  const shown = isPart ? [...bySize.slice(0, MOST_CLASSES - 1), ...bySize.slice(-1)] : bySize;
  return html`<figure><h3>Recall per class ${text}</h3>${seriesLegend(shown.map((p) => named(classes[p] ?? '')))}${rowCurvesChart(
    {
      label: `Recall of each class over rows, ${text}; the table of classes has the last numbers`,
      quantity: 'recall',
      curves: shown.map((p, series) => ({
        series,
        points: points.map((one) => [one.rows, one[measure].recall[p] ?? null] as const),
      })),
      marked: data.changes.map(({ row }) => row),
    },
  )}
<figcaption>The class with the fewest recent rows first${isPart ? ', and the commonest last' : ''}.</figcaption></figure>
`;
}

function dashedNote(changes: number): Html {
  return changes === 0 ? html`` : html`<figcaption>Dashed lines: detected changes.</figcaption>`;
}
