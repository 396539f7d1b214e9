import { classCounts, softConfusionMatrix } from '@evenhand/encoding';
import { at, float64At } from '../checked-access.js';
import { balancedLosses } from '../evaluation/balanced-log-loss.js';
import type { ValidationMetrics } from '../runs/metrics-file.js';

/** @param probabilities - `[instances, classes]`, as predictions are made of them */
export function validationMetrics(labels: Int32Array, probabilities: Float32Array, classes: number): ValidationMetrics {
  const confusion = softConfusionMatrix(labels, probabilities, classes);
  const softRecall = Array.from(classCounts(labels, classes), (count, p) =>
    count === 0 ? null : float64At(confusion, p * classes + p) / count,
  );
  const present = softRecall.filter((recall) => recall !== null);
  const right = labels.reduce((sum, label, i) => sum + (likeliest(probabilities, i, classes) === label ? 1 : 0), 0);
  return {
    softAccuracy: present.reduce((sum, recall) => sum + recall, 0) / present.length,
    accuracy: right / labels.length,
    softRecall,
  };
}

/** A class of so many rows counts half: its mean is half noise, and with a few such classes noise would decide. */
const ROWS_OF_HALF_WEIGHT = 10;

/**
 * Mean over the classes of the mean −log p of the right class, with probabilities as they would be if all classes were equally common. A
 * class of n rows has the weight n/(n + 10).
 *
 * @param assumedLogPrior - how common the probabilities take the classes to be
 */
export function balancedLogLoss(
  labels: Int32Array,
  probabilities: Float32Array,
  classes: number,
  assumedLogPrior: ArrayLike<number>,
): number {
  const sums = new Float64Array(classes);
  const counts = new Float64Array(classes);
  const losses = balancedLosses(labels, probabilities, classes, assumedLogPrior);
  for (const [i, label] of labels.entries()) {
    sums[label] = float64At(sums, label) + float64At(losses, i);
    counts[label] = float64At(counts, label) + 1;
  }
  const weights = counts.map((count) => count / (count + ROWS_OF_HALF_WEIGHT));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (
    weights.reduce(
      (sum, weight, p) => (weight === 0 ? sum : sum + (weight * float64At(sums, p)) / float64At(counts, p)),
      0,
    ) / total
  );
}

/** The class with the highest score of an instance; of equal ones, the first. */
function likeliest(scores: ArrayLike<number>, instance: number, classes: number): number {
  const first = instance * classes;
  let best = 0;
  for (let q = 1; q < classes; q++) {
    if (at(scores, first + q) > at(scores, first + best)) best = q;
  }
  return best;
}
