import { type Html, html } from '../html.js';
import { decimal, whole } from '../numbers.js';
import { section } from '../page.js';
import { embeddingChart } from '../plots/embedding.js';
import { reliabilityChart } from '../plots/reliability.js';
import type { RunData } from '../run-data.js';
import { stratifiedSample } from '../tsne/sample.js';
import { tsne } from '../tsne/tsne.js';

/** Points of the map: more take longer than a report should, and cover one another. */
const MOST_POINTS = 2000;
/** Smaller probabilities count as this one: below it lies only rounding. */
const SMALLEST = 1e-8;

/** What the probabilities are worth, and how the classes lie to one another. */
export function outputsSection(run: RunData): Html {
  const { calibration } = run.evaluation.report;
  const { chart, shown } = embedding(run);
  const all = run.predictions.labels.length;
  return section(
    'Outputs',
    html`<div class="charts">
<figure><h3>Reliability</h3>${reliabilityChart([calibration.bins])}
<figcaption>On the dashed line, answers given with a confidence of 80 % are right in 80 % of all cases. Larger marks stand for more
instances. Expected calibration error: ${decimal(calibration.expectedError)}.</figcaption></figure>
<figure><h3>Map of the test outputs</h3>${chart}
<figcaption>t-SNE of the log-probabilities of ${shown === all ? `all ${whole(all)}` : `${whole(shown)} of ${whole(all)}`} test instances${
      shown === all ? '' : ', drawn class by class'
    }, coloured by true class${run.classNames.length > 10 ? ' for the rarest five' : ''}. Near points got similar outputs; distances between far groups mean little.</figcaption></figure>
</div>`,
  );
}

/** The map of a run's test outputs, and how many instances are on it. */
export function embedding(run: RunData): { readonly chart: Html; readonly shown: number } {
  const { labels, probabilities } = run.predictions;
  const classes = run.classNames.length;
  const { seed } = run.config;
  const sample = stratifiedSample(labels, classes, MOST_POINTS, seed);
  const data = new Float64Array(sample.length * classes);
  for (const [k, i] of sample.entries()) {
    for (let q = 0; q < classes; q++) {
      data[k * classes + q] = Math.log(Math.max(SMALLEST, probabilities[i * classes + q] ?? 0));
    }
  }
  const shownLabels = Int32Array.from(sample, (i) => labels[i] ?? 0);
  return { chart: embeddingChart(run, tsne(data, sample.length, seed), shownLabels), shown: sample.length };
}
