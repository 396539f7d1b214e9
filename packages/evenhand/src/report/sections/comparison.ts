import { at } from '../../checked-access.js';
import { sampleStatistics } from '../../evaluation/sample-statistics.js';
import {
  compareGroups,
  measuredText,
  overRepetitions,
  repetitionsOf,
  repetitionText,
  testName,
} from '../../runs/compare-groups.js';
import { count, intervalInPercent, percent, pointsOf } from '../../wording/numbers.js';
import { type Html, html } from '../html.js';
import { rampLegend, seriesLegend } from '../legend.js';
import { named } from '../names.js';
import { scrolling, section } from '../page.js';
import { hasManyClasses, MINORITY_MARK } from '../plots/class-rows.js';
import { curvesChart } from '../plots/curves.js';
import { heatMap, isNumbered } from '../plots/heat-map.js';
import { type Recall, recallChart } from '../plots/recall.js';
import { reliabilityChart } from '../plots/reliability.js';
import { type RunData, withNotableClasses } from '../run-data.js';
import { haveSameTestSets, type ReportedGroup, sameTest } from '../run-groups.js';
import { classCounts, confusion, confusionCounts, rows, whichClasses } from './classes.js';
import { HEADLINE, MEANINGS } from './headline.js';
import { colouredClasses, outputMap, type ReportProgress, shownOf } from './outputs.js';
import { hasTwoClasses, rankingFigures } from './scores.js';
import { measuredEpochs, validationSize } from './training.js';
import { comparedVerdict } from './verdict.js';

type Groups = readonly ReportedGroup[];

/** `one-hot against enhancement`; more than two are a list. */
export function comparedNames(groups: Groups): string {
  const names = groups.map(({ name }) => name);
  return names.length <= 2 ? names.join(' against ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Who is best at what, and whether that may be luck. */
export function comparedHeadline(groups: Groups): Html {
  const first = groups[0]?.first;
  if (first === undefined) return html``;
  const { counts, report } = first.evaluation;
  const repetitions = repetitionsOf(groups);
  const alike = groups.every((group) => JSON.stringify(repetitionsOf([group])) === JSON.stringify(repetitions));
  const means = HEADLINE.map(([key]) => groups.flatMap((group) => headlineOf(group, key)?.mean ?? []));
  const body = groups.map(
    (group) => html`<tr><th scope="row">${group.name}</th>${HEADLINE.map(([key], k) => {
      const { mean = null, deviation = null } = headlineOf(group, key) ?? {};
      const interval =
        group.runs.length === 1
          ? group.runs.map(({ evaluation }) => intervalInPercent(evaluation.estimates[key]))
          : [`± ${percent(deviation)}`];
      return html`<td${isBest(mean, at(means, k)) ? html` class="best"` : ''}>${percent(mean)}<span class="interval">${interval}</span></td>`;
    })}</tr>
`,
  );
  return html`<header>
<h1>${named(first.environment.dataset.name)}: ${comparedNames(groups)}</h1>
<p class="lead">${first.config.model.name} and ${first.config.loss.name}, ${count(counts.training.reduce((a, b) => a + b, 0))} training instances of
${first.classNames.length} classes (from ${count(Math.max(...counts.training))} down to ${count(Math.min(...counts.training))} per class), tested on
${count(report.instances)}; ${alike ? '' : 'up to '}${repetitionText(repetitions)}.</p>
${comparedVerdict(groups)}
${scrolling(
  'Headline metrics',
  html`<table><thead><tr><th scope="col">method</th>${HEADLINE.map(([, name]) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${body}</tbody></table>`,
)}
<p class="note">${
    groups.every(({ runs }) => runs.length === 1)
      ? 'Below each number: its 95\u00a0% interval, from bootstrap resamples of the test set.'
      : `Means over ${repetitions.splits > 1 ? 'splits' : 'seeds'}; below each its sample standard deviation, or for a single run the 95\u00a0% interval from bootstrap resamples of the test set.`
  } The best of each column is bold. ${MEANINGS}</p>
${haveSameTestSets(groups) ? '' : html`<p class="note"><strong>The runs were not tested on the same instances</strong>: part of the differences comes from the data.</p>`}
${pairs(groups)}
</header>
`;
}

/** Whether no method is better, and some are worse. */
function isBest(mean: number | null, all: readonly number[]): boolean {
  return mean === Math.max(...all) && all.some((other) => other < mean);
}

function headlineOf(group: ReportedGroup, key: (typeof HEADLINE)[number][0]) {
  return overRepetitions(group, ({ estimates }) => estimates[key].value);
}

/** Every method against the first one, split by split or seed by seed; not where they were tested on different instances. */
function pairs(groups: Groups): Html {
  const [baseline, ...others] = groups;
  if (baseline === undefined || !haveSameTestSets(groups)) return html``;
  const sentences = others.flatMap((group) => {
    const comparison = compareGroups(group, baseline, ({ estimates }) => estimates.balancedAccuracy.value, sameTest);
    if (comparison === undefined || 'reason' in comparison) return [];
    const { meanDifference, interval, signFlipTest, tTest } = comparison;
    const points = `${pointsOf(meanDifference)} percentage points of balanced accuracy`;
    const ends =
      interval === null ? '' : ` (95\u00a0% interval from ${pointsOf(interval.low)} to ${pointsOf(interval.high)})`;
    const tests =
      tTest.value === null
        ? ''
        : `; p = ${tTest.value.toFixed(3)} by the ${testName(comparison)}${signFlipTest.value === null ? '' : `, ${signFlipTest.value.toFixed(3)} by the sign-flip test`}`;
    return [
      html`<li>${group.name} against ${baseline.name}: ${points}${ends}, ${measuredText(comparison)}${tests}</li>`,
    ];
  });
  return sentences.length === 0 ? html`` : html`<ul>${sentences}</ul>`;
}

/** The class distribution, and the recall of every class by every method. */
export function comparedClasses(groups: Groups): Html {
  const all = groups[0]?.first;
  if (all === undefined) return html``;
  const first = withNotableClasses(all);
  const recalls = groups.map(({ runs }) => first.classNames.map((_, p) => recallOf(runs, p)));
  const head = groups.map(({ name }) => html`<th scope="col">${name}</th>`);
  const body = first.classOrder.map(
    (
      p,
    ) => html`<tr><th scope="row">${first.minority.has(p) ? `${MINORITY_MARK} ` : ''}${named(at(first.classNames, p))}</th>
<td>${count(at(first.evaluation.counts.training, p))}</td><td>${count(at(first.evaluation.counts.test, p))}</td>
${recalls.map((ofClass) => html`<td>${percent(ofClass[p]?.value ?? null)}</td>`)}</tr>
`,
  );
  return section(
    'Classes',
    html`<p>Classes are in the order of their training instances; ${MINORITY_MARK} marks the minority classes.${whichClasses(first)}</p>
<div class="charts">
<figure><h3>Recall on the test set</h3>${seriesLegend(groups.map(({ name }) => name))}${rows(first, 'Recall of each class', recallChart(first, recalls))}
<figcaption>Lines: from the lowest to the highest run, or the 95\u00a0% interval where there is only one.</figcaption></figure>
${classCounts(first)}
</div>
${scrolling(
  'Table of classes',
  html`<table><thead><tr><th scope="col">class</th><th scope="col">training</th><th scope="col">test</th>${head}</tr></thead><tbody>${body}</tbody></table>`,
  hasManyClasses(first),
)}`,
  );
}

function recallOf(runs: readonly RunData[], p: number): Recall | null {
  const estimates = runs.flatMap(({ evaluation }) => evaluation.estimates.recall[p] ?? []);
  const values = estimates.flatMap(({ value }) => value ?? []);
  if (values.length === 0) return null;
  const value = sampleStatistics(values).mean;
  const interval = estimates.length === 1 ? estimates[0]?.interval : null;
  return interval == null ? { value, low: Math.min(...values), high: Math.max(...values) } : { value, ...interval };
}

/** The confusion matrix of each method, all with the same classes. */
export function comparedConfusion(all: Groups): Html {
  const shown = all.slice(0, 1).map(({ first }) => withNotableClasses(first));
  const groups = shown.flatMap(({ classOrder }) =>
    all.map((group) => ({ ...group, first: { ...group.first, classOrder } })),
  );
  return section(
    'Confusion',
    html`<p>Each row is a true class: the share of its test instances that each class is answered for, in per cent${groups.every(({ first }) => isNumbered(first.classNames.length)) ? ', and below it how many they are' : ''}. The dashed lines separate the minority classes (${MINORITY_MARK}) from the rest.${onlyFirst(groups)}${shown.map(whichClasses)}</p>
${rampLegend('shares', '0 %', '100 %')}
<div class="${groups.some(({ first }) => hasManyClasses(first)) ? 'charts wide' : 'charts'}">${groups.map(
      ({ name, first }) =>
        html`<figure><h3>${name}</h3>${scrolling(`Confusion matrix of ${name}`, heatMap(first, `Confusion matrix of ${name}`, confusion(first), 1, confusionCounts(first)))}</figure>
`,
    )}</div>`,
  );
}

function onlyFirst(groups: Groups): string {
  return groups.some(({ runs }) => runs.length > 1) ? ' Shown is the first run of each method.' : '';
}

/** The learning curves of all runs. */
export function comparedTraining(groups: Groups): Html {
  const curves = (values: (epochs: RunData['epochs']) => number[]) =>
    groups.flatMap(({ runs }, series) => runs.map(({ epochs }) => ({ series, values: values(epochs) })));
  const softAccuracies = curves((epochs) => measuredEpochs(epochs).map(({ softAccuracy }) => softAccuracy));
  const legend = seriesLegend(groups.map(({ name }) => name));
  return section(
    'Training',
    html`${legend}<div class="charts">
<figure><h3>Loss</h3>${curvesChart({ label: 'Training loss over epochs', quantity: 'mean training loss', curves: curves((epochs) => epochs.map(({ loss }) => loss)), shares: false })}
<figcaption>One line per run. Methods that encode the labels have a different loss: compare the shape of the curves, not their height.</figcaption></figure>
${softAccuracies.some(({ values }) => values.length > 0) ? softAccuracyFigure(groups, softAccuracies) : ''}
</div>`,
  );
}

function softAccuracyFigure(groups: Groups, curves: Parameters<typeof curvesChart>[0]['curves']): Html {
  const measured = groups.find(({ first }) => measuredEpochs(first.epochs).length > 0);
  return html`<figure><h3>Soft accuracy</h3>${curvesChart({
    label: 'Soft accuracy on the validation set over epochs',
    quantity: 'validation soft accuracy',
    curves: curves.filter(({ values }) => values.length > 0),
    shares: true,
  })}
<figcaption>The mean probability of the right class on the validation set, with all classes counting equally, as long as its instances are held out. ${
    measured === undefined ? '' : validationSize(measured.first)
  }</figcaption></figure>`;
}

/** Methods up to which each gets a map of its outputs. */
const MAPPED = 4;

/** Reliability of all methods in one diagram, and a map of the outputs of each; of two classes, curves instead of maps. */
export async function comparedOutputs(groups: Groups, onProgress: ReportProgress): Promise<Html> {
  const ofTwo = groups.every(({ first }) => hasTwoClasses(first));
  const mapped = ofTwo ? [] : groups.slice(0, MAPPED);
  const steps = mapped.map(() => 0);
  const maps = await Promise.all(
    mapped.map(async ({ name, first }, i) => {
      const { chart, shown } = await outputMap(first, (done, total) => {
        steps[i] = done;
        onProgress(
          steps.reduce((a, b) => a + b),
          total * mapped.length,
        );
      });
      return html`<figure><h3>Map of the test outputs: ${name}</h3>${chart}
<figcaption>t-SNE of the log-probabilities of ${shownOf(first, shown)}, coloured by true class${colouredClasses(first)}.</figcaption></figure>
`;
    }),
  );
  return section(
    'Outputs',
    html`<div class="charts">${ofTwo ? comparedCurves(groups) : maps}
<figure><h3>Reliability</h3>${seriesLegend(groups.map(({ name }) => name))}${reliabilityChart(groups.map(({ first }) => first.evaluation.report.calibration.bins))}
<figcaption>On the dashed line, confidence and accuracy agree. Larger marks stand for more instances.${onlyFirst(groups)}</figcaption></figure>
</div>`,
  );
}

function comparedCurves(groups: Groups): Html {
  return rankingFigures(
    groups.map(({ first }) => first),
    seriesLegend(groups.map(({ name }) => name)),
    onlyFirst(groups),
  );
}

/** What the page was made of. */
export function runList(groups: Groups): Html {
  const body = groups.flatMap(({ name: group, runs }) =>
    runs.map(
      ({ name, config, evaluation }) =>
        html`<tr><th scope="row">${named(name)}</th><td class="text">${group}</td><td>${config.data.splitSeed}</td><td>${config.seed}</td><td>${evaluation.weights.epoch + 1}</td>${HEADLINE.slice(
          0,
          3,
        ).map(([key]) => html`<td>${percent(evaluation.estimates[key].value)}</td>`)}</tr>
`,
    ),
  );
  return section(
    'Runs',
    scrolling(
      'Runs',
      html`<table><thead><tr><th scope="col">run</th><th scope="col" class="text">method</th><th scope="col">split</th><th scope="col">seed</th><th scope="col">epoch</th>${HEADLINE.slice(0, 3).map(([, name]) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${body}</tbody></table>`,
    ),
  );
}
