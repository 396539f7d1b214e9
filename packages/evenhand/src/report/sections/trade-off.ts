import { at, int32At } from '../../checked-access.js';
import { type AnswerRule, answersOf } from '../../decision/answer-rule.js';
import { objectiveText } from '../../decision/objective-text.js';
import { confusionMetrics } from '../../evaluation/confusion-metrics.js';
import { sparseConfusion } from '../../evaluation/sparse-confusion.js';
import { type Html, html } from '../html.js';
import { measuringText } from '../names.js';
import { type TradeOffPoint, tradeOffChart } from '../plots/trade-off.js';
import type { RunData } from '../run-data.js';

/** Points of the path, from no offsets to all of them. */
const STEPS = 40;
/** More classes times instances than this are not answered 40 times over for a picture. */
const MOST_ENTRIES = 20_000_000;

/** Of more than two classes with an objective: what it trades. Two classes have their curve of precision and recall. */
export function tradeOffFigure(run: RunData): Html {
  const { objective } = run.config.decision;
  if (objective === undefined || run.predictions.probabilities.length > MOST_ENTRIES) return html``;
  const { estimates } = run.evaluation;
  const chosen = { accuracy: estimates.accuracy.value ?? 0, balancedAccuracy: estimates.balancedAccuracy.value ?? 0 };
  return html`<figure><h3>Trade-off</h3>${tradeOffChart(tradeOffPath(run), chosen)}
<figcaption>Results on the test set as the answers move from the likeliest classes (open mark) to those for equally frequent classes. The filled mark shows
the model's answers, fitted on ${measuringText(run.evaluation.counts)}, for ${objectiveText(objective)}.</figcaption></figure>`;
}

/** Answers by `argmax(log p − t·log prior)`, t from 0 to 1. */
export function tradeOffPath({
  predictions,
  evaluation,
  classNames,
}: Pick<RunData, 'predictions' | 'evaluation' | 'classNames'>): TradeOffPoint[] {
  const { labels, probabilities } = predictions;
  const { training } = evaluation.counts;
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const offsets = training.map((count) => -(step / STEPS) * Math.log(Math.max(1, count)));
    return measured(labels, probabilities, { kind: 'offsets', offsets }, classNames.length);
  });
}

function measured(labels: Int32Array, probabilities: Float64Array, rule: AnswerRule, classes: number): TradeOffPoint {
  const confusion = new Float64Array(classes * classes);
  for (const [i, answer] of answersOf(rule, probabilities, classes).entries()) {
    const cell = int32At(labels, i) * classes + answer;
    confusion[cell] = at(confusion, cell) + 1;
  }
  const { accuracy, balancedAccuracy } = confusionMetrics(sparseConfusion(confusion, classes), []);
  return { accuracy, balancedAccuracy };
}
