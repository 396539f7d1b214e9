import type { Values } from '@evenhand/encoding';
import { at, float64At } from '../checked-access.js';
import { checkOutputs } from '../evaluation/check-outputs.js';
import { fitBiases } from './class-biases.js';
import { drawnRows, type FittingOptions } from './fitting-rows.js';

/** How probabilities are calibrated: `softmax(log p / T + b)`. Plain data. */
export interface Calibration {
  /** Above 1, the classifier was too sure of itself. */
  readonly temperature: number;
  /** One per class, the largest of them 0. */
  readonly biases: readonly number[];
}

/** Rows that a calibration is fitted to, and what is known of the classifier beforehand. */
export interface CalibrationOptions extends FittingOptions {
  /**
   * The shift of the logits that is expected of each class, but for its strength, which is fitted: the logarithm of the prior
   * for a network that was trained as if all classes were equally frequent. @defaultValue none
   */
  readonly shift?: Values;
  /** Rows that weigh as much as what is expected beforehand; 0 trusts the rows alone. @defaultValue 10 */
  readonly expectation?: number;
}

/** What stands for a probability of 0, which has no logarithm: about where float32 ends. */
const SMALLEST_PROBABILITY = 2 ** -126;

/** The logarithms of probabilities; that of 0 is about −87. */
export function logProbabilities(probabilities: Values): Float64Array {
  return Float64Array.from(probabilities, (p) => Math.log(Math.max(p, SMALLEST_PROBABILITY)));
}

/**
 * Fits the temperature, from 0.05 to 20, and the bias of each class that minimise the log-loss on data with the frequencies that the
 * weights say. A class with few rows stays near the shift that is expected of it, and few rows in all leave the temperature near 1.
 * Apply it with {@link withCalibration}.
 *
 * @param labels - of data that training has not seen
 * @param logits - `[rows, classes]`; or the logarithms of probabilities, which are logits too: see {@link logProbabilities}
 */
export function fitCalibration(
  labels: Int32Array,
  logits: Values,
  classes: number,
  { shift, expectation, ...options }: CalibrationOptions = {},
): Calibration {
  const centred = centredRows(logits, classes);
  checkOutputs(labels, softmaxRows(centred, classes), classes);
  if (shift !== undefined && !(shift.length === classes && shift.every(Number.isFinite))) {
    throw new RangeError(`shift is [${Array.from(shift).join(', ')}]; expected ${classes} numbers, one for each class`);
  }
  const { temperature, biases } = fitBiases(drawnRows(labels, classes, options), centred, {
    temperature: true,
    ...(shift === undefined ? {} : { shift: Float64Array.from(shift) }),
    ...(expectation === undefined ? {} : { expectation }),
  });
  const most = biases.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return { temperature, biases: Array.from(biases, (bias) => bias - most) };
}

/**
 * `softmax(log p / T + b)` of every row.
 *
 * @param probabilities - rows of one entry per class
 */
export function withCalibration(probabilities: Values, { temperature, biases }: Calibration): Float64Array {
  if (!(temperature > 0)) throw new RangeError(`temperature is ${temperature}; expected a number above 0`);
  const classes = biases.length;
  if (probabilities.length % classes !== 0) {
    throw new RangeError(
      `probabilities has length ${probabilities.length}; expected rows of ${classes}, one for each bias`,
    );
  }
  const logits = logProbabilities(probabilities);
  return softmaxRows(
    logits.map((logit, k) => logit / temperature + at(biases, k % classes)),
    classes,
  );
}

/** Logits less the largest of each row: softmax does not see it, and large numbers would cost digits. */
function centredRows(logits: Values, classes: number): Float64Array {
  const centred = Float64Array.from(logits);
  for (let start = 0; start < centred.length; start += classes) {
    const row = centred.subarray(start, start + classes);
    const most = largest(row);
    for (let q = 0; q < row.length; q++) row[q] = float64At(row, q) - most;
  }
  return centred;
}

const largest = (row: Float64Array) => row.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);

function softmaxRows(logits: Float64Array, classes: number): Float64Array {
  const outputs = centredRows(logits, classes).map(Math.exp);
  for (let start = 0; start < outputs.length; start += classes) {
    const row = outputs.subarray(start, start + classes);
    const sum = row.reduce((total, power) => total + power, 0);
    for (let q = 0; q < row.length; q++) row[q] = float64At(row, q) / sum;
  }
  return outputs;
}
