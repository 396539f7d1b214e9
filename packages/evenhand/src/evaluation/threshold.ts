import type { Values } from '@evenhand/encoding';
import { at, float64At } from '../checked-access.js';
import { UserError } from '../user-error.js';
import { checkOutputs } from './check-outputs.js';

/** What a threshold is to make as good as possible; `costs` are those of one false positive and one false negative. */
export type ThresholdObjective =
  | 'balanced-accuracy'
  | 'f1'
  | { readonly costs: readonly [falsePositive: number, falseNegative: number] };

/** Predict the positive class where its probability is at least `threshold`; or why there is no such number. */
export type FittedThreshold =
  | { readonly threshold: number; readonly positive: number }
  | { readonly threshold: null; readonly reason: string };

/** The class that is looked for, of two: the one with fewer training instances, the second one if both have as many. */
export function positiveClass(trainingCounts: readonly number[]): number {
  const [first = 0, second = 0] = trainingCounts;
  return first < second ? 0 : 1;
}

/**
 * Fits the decision threshold of a binary classifier. Every cut between two neighbouring probabilities is tried; the
 * threshold is the middle of the best gap. Of equally good ones, the threshold next to 0.5 is taken.
 *
 * F1 and costs depend on how frequent the classes are: for them the labels should have the frequencies that are met
 * later, which a validation set of a few instances per class does not have. Balanced accuracy does not depend on them.
 * Declines where one of the classes has no instance.
 *
 * @param labels - of validation data, which training has not seen
 * @param probabilities - `[instances, 2]`
 * @param positive - the class whose probability is compared, see {@link positiveClass}
 */
export function fitThreshold(
  labels: Int32Array,
  probabilities: Values,
  objective: ThresholdObjective,
  positive: number,
): FittedThreshold {
  const counts = checkOutputs(labels, probabilities, 2);
  if (positive !== 0 && positive !== 1) throw new RangeError(`positive is ${positive}; expected class 0 or 1`);
  const goodness = goodnessOf(objective, float64At(counts, positive), float64At(counts, 1 - positive));
  const absent = counts.indexOf(0);
  if (absent >= 0) return { threshold: null, reason: `class ${absent} has no validation instance` };

  let best = { threshold: 0.5, goodness: Number.NEGATIVE_INFINITY };
  for (const { threshold, truePositives, falsePositives } of cuts(labels, probabilities, positive)) {
    const found = { threshold, goodness: goodness(truePositives, falsePositives) };
    const nearer = Math.abs(threshold - 0.5) < Math.abs(best.threshold - 0.5);
    if (found.goodness > best.goodness || (found.goodness === best.goodness && nearer)) best = found;
  }
  return { threshold: best.threshold, positive };
}

/** The objective as a function to maximise, of what a threshold finds. */
function goodnessOf(
  objective: ThresholdObjective,
  positives: number,
  negatives: number,
): (truePositives: number, falsePositives: number) => number {
  if (objective === 'balanced-accuracy') return (found, mistaken) => found * negatives - mistaken * positives;
  if (objective === 'f1') return (found, mistaken) => (2 * found) / (found + mistaken + positives);
  const [falsePositive, falseNegative] = objective.costs;
  for (const cost of objective.costs) {
    if (!(Number.isFinite(cost) && cost > 0)) {
      throw new UserError(`costs has ${cost}; expected two positive numbers, of a false positive and a false negative`);
    }
  }
  return (found, mistaken) => -falsePositive * mistaken - falseNegative * (positives - found);
}

interface Cut {
  readonly threshold: number;
  readonly truePositives: number;
  readonly falsePositives: number;
}

/** From no instance predicted positive to all. A probability of 1 is always positive: no threshold is above it. */
function* cuts(labels: Int32Array, probabilities: Values, positive: number): Generator<Cut> {
  const scored = Array.from(labels, (label, i) => ({
    score: at(probabilities, 2 * i + positive),
    isPositive: label === positive,
  })).sort((a, b) => b.score - a.score);
  let truePositives = 0;
  let falsePositives = 0;
  let above = 1;
  for (const { score, isPositive } of scored) {
    if (score < above) yield { threshold: middle(score, above), truePositives, falsePositives };
    if (isPositive) truePositives++;
    else falsePositives++;
    above = score;
  }
  yield { threshold: above / 2, truePositives, falsePositives };
}

/** Between the two; the upper one where no number is between them. */
function middle(below: number, above: number): number {
  const half = (below + above) / 2;
  return half > below ? half : above;
}
