import { at, float64At } from '../../checked-access.js';
import { thresholdOf } from '../../decision/answer-rule.js';
import { counted, decimal } from '../../wording/numbers.js';
import { type Html, html } from '../html.js';
import { seriesLegend } from '../legend.js';
import { named } from '../names.js';
import { precisionRecallChart, type Ranking, rocChart, scoreHistogram } from '../plots/ranking.js';
import { cutsOf, scoreShares } from '../ranking-curves.js';
import type { RunData } from '../run-data.js';
import { prevalence } from './headline.js';

const BINS = 20;

/** Whether one score says it all: a map of the outputs of two classes is a curve. */
export function hasTwoClasses({ classNames }: Pick<RunData, 'classNames'>): boolean {
  return classNames.length === 2;
}

/** Of two classes: what other thresholds would come to, and how the scores of the classes spread. */
export function scoreFigures(run: RunData): Html {
  const positive = positiveOf(run);
  const name = html`“${named(at(run.classNames, positive))}”`;
  const { labels } = run.predictions;
  const scores = scoresOf(run, positive);
  const order = [positive, 1 - positive];
  const shares = order.map((p) =>
    scoreShares(
      [...scores].filter((_, i) => labels[i] === p),
      BINS,
    ),
  );
  return html`${rankingFigures([run], html``, '')}
<figure><h3>Scores</h3>${seriesLegend(order.map((p) => named(at(run.classNames, p))))}${scoreHistogram(shares, thresholdOf(run.evaluation.decision.answers?.rule ?? null, positive))}
<figcaption>How the probabilities of ${name} are distributed over the test instances of each class, as shares of the class. Right of the dashed line, the answer is ${name}.</figcaption></figure>`;
}

/** ROC and precision–recall curves of one run or several; none where the test set lacks a class. */
export function rankingFigures(runs: readonly RunData[], legend: Html, note: string): Html {
  const [first] = runs;
  if (first === undefined || runs.some(({ evaluation }) => evaluation.estimates.binary === null)) return html``;
  const positive = positiveOf(first);
  const name = html`“${named(at(first.classNames, positive))}”`;
  const rankings = runs.map((run) => rankingOf(run, positive));
  const tested = counted(at(first.evaluation.counts.test, positive), 'test instance');
  const [area, precision] = [
    first.evaluation.estimates.binary?.rocAuc,
    first.evaluation.estimates.binary?.averagePrecision,
  ];
  const numbers = (value: typeof area, title: string) =>
    runs.length > 1 || value === undefined ? '' : ` ${title}: ${decimal(value)}.`;
  return html`<figure><h3>ROC curve</h3>${legend}${rocChart(rankings)}
<figcaption>The share of ${name} that each threshold would find, and the share of the others that it would include. The mark is the model's own threshold, the dashed
line is guessing. It rests on ${tested} of ${name}.${numbers(area, 'Area under the curve')}${note}</figcaption></figure>
<figure><h3>Precision and recall</h3>${legend}${precisionRecallChart(rankings, prevalence(first, positive))}
<figcaption>The share of the answers ${name} that are right, for every share of ${name} that is found: the trade-off at other thresholds. The mark is the model's own threshold, the dashed line is guessing.${numbers(precision, 'Average precision')}${note}</figcaption></figure>
`;
}

/** The class that is looked for: the rarer one in training. */
function positiveOf({ evaluation, classOrder }: RunData): number {
  return evaluation.estimates.binary?.positive ?? at(classOrder, 1);
}

function scoresOf({ predictions }: RunData, positive: number): Float64Array {
  return Float64Array.from(predictions.labels, (_, i) => float64At(predictions.probabilities, 2 * i + positive));
}

function rankingOf(run: RunData, positive: number): Ranking {
  const { confusionMatrix } = run.evaluation.report;
  const [found, missed] = [at(confusionMatrix, 3 * positive), at(confusionMatrix, 2 * positive + (1 - positive))];
  const [wrong, rest] = [at(confusionMatrix, 2 * (1 - positive) + positive), at(confusionMatrix, 3 * (1 - positive))];
  return {
    cuts: cutsOf(run.predictions.labels, scoresOf(run, positive), positive),
    answers: {
      truePositiveRate: found / (found + missed),
      falsePositiveRate: wrong / (wrong + rest),
      precision: found / (found + wrong),
    },
  };
}
