import type { Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import { sizeOf } from '../graph/tensor.js';
import { dropoutLayer } from '../layers/dropout.js';
import { categoricalEmbedding } from '../layers/embedding.js';
import { linear } from '../layers/linear.js';
import { flatten } from '../layers/structure.js';
import { truncatedNormal } from '../network/initialisers.js';
import type { Model, Network } from '../network/network.js';
import { concat } from '../operations/concat.js';
import { relu } from '../operations/relu.js';
import { reshape } from '../operations/reshape.js';
import { slice } from '../operations/slice.js';
import { checkSize, defineModel, type ModelOptions } from './define.js';

/** How {@link mlp} is set. */
export interface MlpOptions extends ModelOptions {
  /** Units of the hidden layers; none make a logistic regression. @defaultValue `[128, 64]` */
  readonly hidden?: readonly number[];
  /** Dropout's rate after every hidden layer. @defaultValue 0 */
  readonly dropout?: number;
  /**
   * How many categories each of the last features has: those are codes from 0, fed as float32 like the numbers before
   * them. A code becomes a learned vector of `min(16, ⌈1.6·categories^0.56⌉)` numbers. @defaultValue none
   */
  readonly categories?: readonly number[];
}

/**
 * Linear layers `hidden1`, `hidden2`, … with ReLU between them. Takes inputs of any shape, flattened; the vectors of
 * categories are `category1/weight`, `category2/weight`, …
 */
export function mlp({ hidden = [128, 64], dropout = 0, categories = [], ...options }: MlpOptions): Model {
  for (const units of hidden) checkSize('mlp', 'a size in hidden', units);
  for (const size of categories) checkSize('mlp', 'a size in categories', size);
  const features = sizeOf(options.input);
  if (categories.length > features) {
    throw new RangeError(
      `mlp: categories has ${categories.length} sizes; expected at most ${features}, as the input has no more features`,
    );
  }
  return defineModel('mlp', options, (network, x) =>
    hidden.reduce(
      (inner, units, i) => {
        const activations = relu(linear(network, inner, { name: `hidden${i + 1}`, units }));
        return dropoutLayer(network, activations, { name: `dropout${i + 1}`, rate: dropout });
      },
      embedLast(network, flatten(network, x), categories),
    ),
  );
}

/** The most features that stand for a category. */
const WIDEST_EMBEDDING = 16;

/** Replaces the last columns, codes of categories, by the vectors of their categories. */
function embedLast(network: Network, x: Tensor, categories: readonly number[]): Tensor {
  if (categories.length === 0) return x;
  const [batch, features] = [axisSize(x.shape, 0), axisSize(x.shape, 1)];
  const numbers = features - categories.length;
  const vectors = categories.map((size, i) => {
    const start = numbers + i;
    const codes = reshape(slice(x, { axis: 1, start, end: start + 1 }), [batch]);
    // The rule of thumb of fastai, with a smaller limit.
    const width = Math.min(WIDEST_EMBEDDING, Math.ceil(1.6 * size ** 0.56));
    // A vector is about as long as a standardised number is large.
    const initialise = truncatedNormal(1 / Math.sqrt(width));
    return categoricalEmbedding(network, codes, { name: `category${i + 1}`, categories: size, width, initialise });
  });
  return concat(numbers === 0 ? vectors : [slice(x, { axis: 1, start: 0, end: numbers }), ...vectors], 1);
}
