import { sizeOf } from '../graph/tensor.js';
import { dropoutLayer } from '../layers/dropout.js';
import { linear } from '../layers/linear.js';
import { flatten } from '../layers/structure.js';
import type { Model } from '../network/network.js';
import { relu } from '../operations/relu.js';
import { checkSize, defineModel, type ModelOptions } from './define.js';
import { besideEachOther, checkCategories, tableInputs } from './table-inputs.js';

/** How {@link mlp} is set. */
export interface MlpOptions extends ModelOptions {
  /** Units of the hidden layers; none make a logistic regression. @defaultValue `[128, 64]` */
  readonly hidden?: readonly number[];
  /** Dropout's rate after every hidden layer. @defaultValue 0 */
  readonly dropout?: number;
  /**
   * How many categories each of the last features has: those are codes from 0, fed as float32 like the numbers before
   * them. Up to eight have a column each; a code of more becomes a learned vector of `min(16, ⌈1.6·categories^0.56⌉)` numbers.
   * @defaultValue none
   */
  readonly categories?: readonly number[];
}

/**
 * Linear layers `hidden1`, `hidden2`, … with ReLU between them. Takes inputs of any shape, flattened; the vectors of
 * categories are `category1/weight`, `category2/weight`, …
 */
export function mlp({ hidden = [128, 64], dropout = 0, categories = [], ...options }: MlpOptions): Model {
  for (const units of hidden) checkSize('mlp', 'a size in hidden', units);
  checkCategories('mlp', categories, sizeOf(options.input));
  return defineModel('mlp', options, (network, x) => {
    const table = tableInputs(network, flatten(network, x), categories);
    const inputs = besideEachOther(network, [...(table.numbers === null ? [] : [table.numbers]), ...table.categories]);
    return hidden.reduce((inner, units, i) => {
      const activations = relu(linear(network, inner, { name: `hidden${i + 1}`, units }));
      return dropoutLayer(network, activations, { name: `dropout${i + 1}`, rate: dropout });
    }, inputs);
  });
}
