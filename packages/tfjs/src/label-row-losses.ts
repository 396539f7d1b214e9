import type { FocalOptions } from '@evenhand/encoding';
import * as tf from '@tensorflow/tfjs';
import { flooredLog, focusedLog } from './log-probability.js';

/*
 * The losses for general label rows: entries may be negative or above 1, and a row need not sum to 1. Each gives one
 * value per instance; TensorFlow.js takes the mean over the batch. Values below zero are right.
 */

/** What a model hands to its loss: `y` and `log y`, each computed only if a loss asks for it. */
export interface ModelOutput {
  probabilities(): tf.Tensor;
  logProbabilities(): tf.Tensor;
}

/** A loss of encoded label rows, one value per instance. */
export type LabelRowLoss = (labelRows: tf.Tensor, output: ModelOutput) => tf.Tensor;

/** The output of a model that ends in softmax. */
export function probabilityOutput(predictions: tf.Tensor): ModelOutput {
  return { probabilities: () => predictions, logProbabilities: () => flooredLog(predictions) };
}

/** The output of a model that ends before the softmax. */
export function logitOutput(predictions: tf.Tensor): ModelOutput {
  return { probabilities: () => tf.softmax(predictions), logProbabilities: () => tf.logSoftmax(predictions) };
}

/** `−Σ l_q log y_q` */
export const crossEntropy: LabelRowLoss = (labelRows, output) =>
  tf.neg(tf.sum(tf.mul(labelRows, output.logProbabilities()), -1));

/** `(1/N) Σ (y_q − l_q)²` */
export const meanSquareError: LabelRowLoss = (labelRows, output) =>
  tf.mean(tf.squaredDifference(output.probabilities(), labelRows), -1);

/** `−Σ α_q l_q (1−y_q)^γ log y_q` */
export function focal(options: FocalOptions, classes: number): LabelRowLoss {
  const { gamma, alpha } = options;
  checkFocal(options, classes);
  const focused = focusedLog(gamma);
  const weights = alpha === undefined ? undefined : Array.from(alpha);
  return (labelRows, output) => {
    const weighted = weights === undefined ? labelRows : tf.mul(labelRows, tf.tensor1d(weights));
    return tf.neg(tf.sum(tf.mul(weighted, focused(output.logProbabilities())), -1));
  };
}

function checkFocal({ gamma, alpha }: FocalOptions, classes: number): void {
  if (!Number.isFinite(gamma) || gamma < 0) {
    throw new RangeError(`gamma is ${gamma}; expected a finite number of at least 0, for instance focal({ gamma: 2 })`);
  }
  if (alpha === undefined) return;
  if (alpha.length !== classes) {
    throw new RangeError(`alpha has length ${alpha.length}; expected ${classes}, a weight for every class`);
  }
  for (let q = 0; q < classes; q++) {
    if (!Number.isFinite(alpha[q])) throw new RangeError(`alpha[${q}] is ${alpha[q]}; expected a finite number`);
  }
}
