import type { Values } from '@evenhand/encoding';
import { float64At } from '../checked-access.js';
import { checkOutputs } from './check-outputs.js';

/** The temperature that calibrates probabilities, or why none was fitted. */
export type FittedTemperature =
  | { readonly temperature: number }
  | { readonly temperature: null; readonly reason: string };

const LOWEST_TEMPERATURE = 0.05;
const HIGHEST_TEMPERATURE = 20;
const FEWEST_INSTANCES = 20;
/** Halvings of an interval of ln(20/0.05) ≈ 6 that leave a relative error below 1e-11. */
const HALVINGS = 40;
/** What stands for a probability of 0, which has no logarithm: about where float32 ends. */
const SMALLEST_PROBABILITY = 2 ** -126;

/**
 * Fits the temperature T, from 0.05 to 20, that maximises the likelihood of the labels under `softmax(log p / T)`. Above 1
 * the classifier was too sure of itself. Apply it with {@link withTemperature}.
 *
 * Declines with fewer than 20 instances, and where each is predicted rightly: then the likelihood only grows as T falls
 * to 0, because nothing shows how often the classifier errs. Probabilities become calibrated for data with the class
 * frequencies of these labels.
 *
 * @param labels - of validation data, which training has not seen
 * @param probabilities - `[instances, classes]`
 */
export function fitTemperature(labels: Int32Array, probabilities: Values, classes: number): FittedTemperature {
  checkOutputs(labels, probabilities, classes);
  if (labels.length < FEWEST_INSTANCES) {
    const reason = `a temperature needs at least ${FEWEST_INSTANCES} validation instances; there are ${labels.length}`;
    return { temperature: null, reason };
  }
  const logits = logProbabilities(probabilities);
  const isRight = (label: number, i: number) =>
    logits[i * classes + label] === largest(logits.subarray(i * classes, (i + 1) * classes));
  if (labels.every(isRight)) {
    const reason = `all ${labels.length} validation instances are predicted rightly: they cannot show how sure is too sure`;
    return { temperature: null, reason };
  }
  // The loss is convex in 1/T: its slope changes sign once. Where it does not within the bounds, this ends at the better one.
  let low = Math.log(1 / HIGHEST_TEMPERATURE);
  let high = Math.log(1 / LOWEST_TEMPERATURE);
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (lossSlope(labels, logits, classes, Math.exp(middle)) > 0) high = middle;
    else low = middle;
  }
  return { temperature: Math.exp(-(low + high) / 2) };
}

/**
 * `softmax(log p / T)` of every row. The order of a row's classes stays as it was, and so does the prediction.
 *
 * @param probabilities - rows of `classes` entries each
 */
export function withTemperature(probabilities: Values, classes: number, temperature: number): Float64Array {
  if (!(temperature > 0)) throw new RangeError(`temperature is ${temperature}; expected a number above 0`);
  return softmaxRows(logProbabilities(probabilities), classes, 1 / temperature);
}

const logProbabilities = (probabilities: Values) =>
  Float64Array.from(probabilities, (p) => Math.log(Math.max(p, SMALLEST_PROBABILITY)));

const largest = (row: Float64Array) => row.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);

/** The negative log-likelihood's derivative by 1/T: `Σ_i Σ_q (y_iq − l_iq)·z_iq`. */
function lossSlope(labels: Int32Array, logits: Float64Array, classes: number, inverseTemperature: number): number {
  const outputs = softmaxRows(logits, classes, inverseTemperature);
  let slope = 0;
  for (let i = 0; i < logits.length; i++) slope += float64At(outputs, i) * float64At(logits, i);
  for (const [i, label] of labels.entries()) slope -= float64At(logits, i * classes + label);
  return slope;
}

function softmaxRows(logits: Float64Array, classes: number, inverseTemperature: number): Float64Array {
  const outputs = new Float64Array(logits.length);
  for (let start = 0; start < logits.length; start += classes) {
    const most = largest(logits.subarray(start, start + classes));
    let sum = 0;
    for (let i = start; i < start + classes; i++) {
      const power = Math.exp((float64At(logits, i) - most) * inverseTemperature);
      outputs[i] = power;
      sum += power;
    }
    for (let i = start; i < start + classes; i++) outputs[i] = float64At(outputs, i) / sum;
  }
  return outputs;
}
