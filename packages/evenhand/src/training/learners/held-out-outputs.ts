import type { Trainer } from '@evenhand/engine/node';
import { rowsByFold } from '../measuring.js';

/**
 * What a network makes of rows that it has not learned from; of a pack, each by the network that left out its fold.
 *
 * @param inputs - `[rows, features]`
 * @param folds - of the rows
 */
export async function heldOutOutputs(trainer: Trainer, inputs: Float32Array, folds: Int32Array): Promise<Float32Array> {
  const { classes, pack } = trainer.program;
  if (pack === 1) return trainer.predict(inputs);
  const features = inputs.length / folds.length;
  const order = rowsByFold(folds, trainer.program);
  const fed = new Float32Array(order.length * features);
  for (const [i, row] of order.entries()) {
    if (row >= 0) fed.set(inputs.subarray(row * features, (row + 1) * features), i * features);
  }
  const predicted = await trainer.predict(fed);
  const outputs = new Float32Array(folds.length * classes);
  for (const [i, row] of order.entries()) {
    if (row >= 0) outputs.set(predicted.subarray(i * classes, (i + 1) * classes), row * classes);
  }
  return outputs;
}
