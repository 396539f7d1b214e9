import { float32At } from '../checked-access.js';
import type { PredictionAdjustment } from './method.js';

/**
 * What a method predicts, from the probabilities that the network gives: `softmax(scale·log p − shift)` of every row. The
 * logarithms of probabilities are the logits, but for a number that softmax takes away again.
 *
 * @param probabilities - `[instances, classes]`
 * @returns a new array
 */
export function adjustProbabilities(
  probabilities: Float32Array,
  classes: number,
  { logitScale = 1, logitShift }: PredictionAdjustment,
): Float32Array {
  if (logitScale === 1 && logitShift === undefined) return probabilities.slice();
  const adjusted = new Float32Array(probabilities.length);
  for (let start = 0; start < adjusted.length; start += classes) {
    const logits = Array.from(
      probabilities.subarray(start, start + classes),
      (p, q) => logitScale * Math.log(p) - (logitShift === undefined ? 0 : float32At(logitShift, q)),
    );
    const largest = logits.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const powers = logits.map((logit) => Math.exp(logit - largest));
    const total = powers.reduce((a, b) => a + b, 0);
    adjusted.set(
      powers.map((power) => power / total),
      start,
    );
  }
  return adjusted;
}
