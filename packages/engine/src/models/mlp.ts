import { dropoutLayer } from '../layers/dropout.js';
import { linear } from '../layers/linear.js';
import { flatten } from '../layers/structure.js';
import type { Model } from '../network/network.js';
import { relu } from '../operations/relu.js';
import { checkSize, defineModel, type ModelOptions } from './define.js';

/** A multi-layer perceptron. */
export interface MlpOptions extends ModelOptions {
  /** Units of the hidden layers; none make a logistic regression. @defaultValue `[128, 64]` */
  readonly hidden?: readonly number[];
  /** Dropout's rate after every hidden layer. @defaultValue 0 */
  readonly dropout?: number;
}

/** Linear layers `hidden1`, `hidden2`, … with ReLU between them. Takes inputs of any shape, flattened. */
export function mlp({ hidden = [128, 64], dropout = 0, ...options }: MlpOptions): Model {
  for (const units of hidden) checkSize('mlp', 'a size in hidden', units);
  return defineModel('mlp', options, (network, x) =>
    hidden.reduce(
      (inner, units, i) => {
        const activations = relu(linear(network, inner, { name: `hidden${i + 1}`, units }));
        return dropoutLayer(network, activations, { name: `dropout${i + 1}`, rate: dropout });
      },
      flatten(network, x),
    ),
  );
}
