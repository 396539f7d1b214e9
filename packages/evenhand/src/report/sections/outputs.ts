import { int32At } from '../../checked-access.js';
import { MOST_CLASSES_IN_FULL } from '../../dataset/many-classes.js';
import { count, decimal } from '../../wording/numbers.js';
import { type Html, html } from '../html.js';
import { section } from '../page.js';
import { COLOURED, COLOURED_RAREST, embeddingChart } from '../plots/embedding.js';
import { reliabilityChart } from '../plots/reliability.js';
import type { RunData } from '../run-data.js';
import { logProbabilities } from '../tsne/log-probabilities.js';
import { stratifiedSample } from '../tsne/sample.js';
import { tsneInThread } from '../tsne/tsne-thread.js';
import { hasTwoClasses, scoreFigures } from './scores.js';
import { tradeOffFigure } from './trade-off.js';

/** Points of a map: more take longer than a report should, and cover one another. */
const MOST_POINTS = 10_000;
/** Points times classes: with very many classes a point is a long row, and there are fewer of them. */
const MOST_NUMBERS = MOST_POINTS * MOST_CLASSES_IN_FULL;

/** Is told how many steps of all are done. */
export type ReportProgress = (done: number, total: number) => void;

/** What the probabilities are worth, and how the classes lie to one another. */
export async function outputsSection(run: RunData, onProgress: ReportProgress): Promise<Html> {
  return section(
    'Outputs',
    html`<div class="charts">
${outputFigures(run)}
${hasTwoClasses(run) ? '' : await mapFigure(run, onProgress)}
</div>`,
  );
}

/** What the probabilities are worth. */
export function outputFigures(run: RunData): Html {
  const { calibration } = run.evaluation.report;
  return html`${hasTwoClasses(run) ? scoreFigures(run) : ''}
<figure><h3>Reliability</h3>${reliabilityChart([calibration.bins])}
<figcaption>On the dashed line, a likeliest class with a probability of 80 % is right in 80 % of all cases. Larger marks stand for more instances. Expected calibration error: ${decimal(calibration.expectedError)}.</figcaption></figure>
${hasTwoClasses(run) ? '' : tradeOffFigure(run)}`;
}

/** How the classes lie to one another. */
export async function mapFigure(run: RunData, onProgress: ReportProgress): Promise<Html> {
  const { chart, shown } = await outputMap(run, onProgress);
  return html`<figure><h3>Map of the test outputs</h3>${chart}
<figcaption>t-SNE of the log-probabilities of ${shownOf(run, shown)}, coloured by true class${colouredClasses(run)}. Points that are close have similar outputs; distances between groups that are far apart mean little.</figcaption></figure>`;
}

/** In words, which classes have a colour on a map, if not all. */
export function colouredClasses({ classNames }: RunData): string {
  return classNames.length > COLOURED ? ` (only the ${COLOURED_RAREST} rarest of them)` : '';
}

/** In words, how much of the test set is on a map. */
export function shownOf({ predictions }: RunData, shown: number): string {
  const all = predictions.labels.length;
  if (shown === all) return `all ${count(all)} test instances`;
  return `${count(shown)} of ${count(all)} test instances, drawn class by class`;
}

/** The map of a run's test outputs, and how many instances are on it. */
export async function outputMap(
  run: RunData,
  onProgress: ReportProgress,
): Promise<{ readonly chart: Html; readonly shown: number }> {
  const { labels, probabilities } = run.predictions;
  const classes = run.classNames.length;
  const { seed } = run.config;
  const sample = stratifiedSample(labels, classes, Math.min(MOST_POINTS, Math.floor(MOST_NUMBERS / classes)), seed);
  const data = logProbabilities(probabilities, sample, classes);
  const embedding = await tsneInThread({ data, points: sample.length, seed }, onProgress);
  const shownLabels = Int32Array.from(sample, (i) => int32At(labels, i));
  return { chart: embeddingChart(run, embedding, shownLabels), shown: sample.length };
}
