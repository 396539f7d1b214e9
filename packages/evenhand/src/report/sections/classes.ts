import { softConfusionMatrix } from '@evenhand/encoding';
import { at } from '../../checked-access.js';
import { largestConfusions } from '../../evaluation/notable-classes.js';
import { notableNote } from '../../wording/notable-note.js';
import { count, intervalInPercent, NONE, percent } from '../../wording/numbers.js';
import { type Html, html } from '../html.js';
import { rampLegend, seriesLegend } from '../legend.js';
import { named } from '../names.js';
import { scrolling, section } from '../page.js';
import { classCountsChart, PARTS } from '../plots/class-counts.js';
import { hasManyClasses, MINORITY_MARK } from '../plots/class-rows.js';
import { heatMap, isNumbered } from '../plots/heat-map.js';
import { type Recall, recallChart } from '../plots/recall.js';
import { type RunData, withNotableClasses } from '../run-data.js';

/** Confusions that are listed. */
const LISTED = 10;

const ORDER = `Classes are in the order of their training instances; ${MINORITY_MARK} marks the minority classes.`;

/** How many instances each class has, and how many of them are found. */
export function classesSection(all: RunData): Html {
  const run = withNotableClasses(all);
  const recalls = run.evaluation.estimates.recall.map(({ value, interval }): Recall | null =>
    value === null ? null : { value, low: interval?.low ?? value, high: interval?.high ?? value },
  );
  return section(
    'Classes',
    html`<p>${ORDER}${whichClasses(run)}</p>
<div class="charts">
${classCounts(run)}
<figure><h3>Recall on the test set</h3>${seriesLegend(['recall with its 95\u00a0% interval'])}${rows(run, 'Recall of each class', recallChart(run, [recalls]))}
<figcaption>The share of each class's test instances that the model finds.</figcaption></figure>
</div>
${scrolling('Table of classes', classTable(run), hasManyClasses(run))}`,
  );
}

/** A sentence on which classes are shown, where it is not all of them. */
export function whichClasses({ classOrder, classNames }: RunData): string {
  const note = notableNote(classOrder.length, classNames.length);
  return note === '' ? '' : ` ${note} evaluation.json has the numbers of all.`;
}

/** The class distribution of the three parts. */
export function classCounts(run: RunData): Html {
  return html`<figure><h3>Instances</h3>${seriesLegend(PARTS)}${rows(run, 'Instances of each class', classCountsChart(run))}</figure>`;
}

/** A chart with one row per class, in a box of its own where there are many. */
export function rows(run: RunData, label: string, chart: Html): Html {
  return hasManyClasses(run) ? scrolling(label, chart, true) : chart;
}

function classTable(run: RunData): Html {
  const { counts, estimates, report } = run.evaluation;
  const body = run.classOrder.map((p) => {
    const recall = at(estimates.recall, p);
    const { precision, f1 } = at(report.perClass, p);
    return html`<tr><th scope="row">${run.minority.has(p) ? `${MINORITY_MARK} ` : ''}${named(at(run.classNames, p))}</th>
${PARTS.map((part) => html`<td>${count(at(counts[part], p))}</td>`)}
<td>${percent(recall.value)}</td><td>${intervalInPercent(recall) || NONE}</td>
<td>${percent(precision.value)}</td><td>${percent(f1.value)}</td></tr>
`;
  });
  return html`<table><thead><tr><th scope="col">class</th>${PARTS.map((part) => html`<th scope="col">${part}</th>`)}
<th scope="col">recall</th><th scope="col">95 % interval</th><th scope="col">precision</th><th scope="col">F1</th></tr></thead>
<tbody>${body}</tbody></table>`;
}

/** Which classes are taken for which. */
export function confusionSection(all: RunData): Html {
  const run = withNotableClasses(all);
  const soft = softConfusion(run);
  const most = soft.filter((share) => !Number.isNaN(share)).reduce((high, share) => Math.max(high, share), 0);
  return section(
    'Confusion',
    html`<p>Each row is a true class: where its test instances go, in per cent. ${ORDER} The dashed lines separate the minority classes from the rest.${whichClasses(run)}</p>
<div class="${hasManyClasses(run) ? 'charts wide' : 'charts'}">
<figure><h3>Answers</h3>${rampLegend('shares', '0 %', '100 %')}${scrolling('Confusion matrix', heatMap(run, 'Confusion matrix', confusion(run), 1, confusionCounts(run)))}
<figcaption>The share of the instances that each class is answered for${isNumbered(run.classNames.length) ? ', in per cent; below it how many they are' : ''}.</figcaption></figure>
<figure><h3>Probabilities (soft confusion)</h3>${rampLegend('shares', '0 %', percent(most))}${scrolling('Soft-confusion matrix', heatMap(run, 'Soft-confusion matrix', soft, most))}
<figcaption>The mean probability that each class is given: what the network hesitates between, even where its answer is right.</figcaption></figure>
</div>
${isNumbered(run.classNames.length) ? '' : confusionTable(run)}`,
  );
}

/** Where there are too many classes for numbers in the matrix: what is most often taken for what. */
function confusionTable(run: RunData): Html {
  const entries = largestConfusions(run.evaluation.report, LISTED);
  if (entries.length === 0) return html``;
  const body = entries.map(
    ({
      instances,
      label,
      answer,
    }) => html`<tr><th scope="row">${named(at(run.classNames, label))}</th><td class="text">${named(at(run.classNames, answer))}</td>
<td>${count(instances)}</td><td>${count(at(run.evaluation.counts.test, label))}</td></tr>
`,
  );
  return html`<h3>The largest confusions</h3>
${scrolling(
  'The largest confusions',
  html`<table><thead><tr><th scope="col">class</th><th scope="col" class="text">taken for</th><th scope="col">instances</th><th scope="col">of</th></tr></thead><tbody>${body}</tbody></table>`,
)}`;
}

/** How many test instances of each true class are answered as each class. */
export function confusionCounts({ evaluation }: RunData): Float64Array {
  return Float64Array.from(evaluation.report.confusionMatrix);
}

/** The share of each true class that is answered as each class. */
export function confusion(run: RunData): Float64Array {
  return shares(confusionCounts(run), run.evaluation.counts.test, run.classNames.length);
}

function softConfusion({ predictions, evaluation, classNames }: RunData): Float64Array {
  const classes = classNames.length;
  const sums = softConfusionMatrix(predictions.labels, predictions.probabilities, classes);
  return shares(Float64Array.from(sums), evaluation.counts.test, classes);
}

function shares(matrix: Float64Array, counts: readonly number[], classes: number): Float64Array {
  return matrix.map((entry, k) => entry / at(counts, Math.floor(k / classes)));
}
