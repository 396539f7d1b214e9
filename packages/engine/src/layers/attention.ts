import type { Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { expectSingle, type Network } from '../network/network.js';
import { add, div, mul } from '../operations/arithmetic.js';
import { matmul, swapLastAxes } from '../operations/matmul.js';
import { sum } from '../operations/reductions.js';
import { reshape } from '../operations/reshape.js';
import { slice } from '../operations/slice.js';
import { softmax } from '../operations/softmax.js';
import { transpose } from '../operations/transpose.js';
import { linear, type WeightOptions } from './linear.js';

/** How {@link multiHeadAttention} is set; initialisers are those of its projections. */
export interface AttentionOptions extends WeightOptions {
  readonly name: string;
  /** Parts of the features that attend by themselves. The features must be a multiple of it. */
  readonly heads: number;
}

/**
 * Every token takes from all tokens what its query finds: `softmax(q·kᵀ/√d)·v`, in each head.
 *
 * Layers: `qkv`, one linear layer for queries, keys and values; `projection`.
 *
 * @param x - tokens `[N, T, features]`
 */
export function multiHeadAttention(network: Network, x: Tensor, { name, heads, ...weights }: AttentionOptions): Tensor {
  return network.scope(name, () => {
    const { batch, tokens, features, width } = tokensOf(network, x, heads);
    const qkv = linear(network, x, { ...weights, name: 'qkv', units: 3 * features });
    const split = transpose(reshape(qkv, [batch, tokens, 3, heads, width]), [2, 0, 3, 1, 4]);
    const part = (index: number) =>
      reshape(slice(split, { axis: 0, start: index, end: index + 1 }), [batch, heads, tokens, width]);
    const [query, key, value] = [mul(part(0), 1 / Math.sqrt(width)), part(1), part(2)];
    const found = matmul(softmax(matmul(query, swapLastAxes(key))), value);
    return linear(network, joinHeads(found), { ...weights, name: 'projection', units: features });
  });
}

/** How {@link externalAttention} is set. */
export interface ExternalAttentionOptions extends AttentionOptions {
  /** Units of the memory. @defaultValue 64 */
  readonly memory?: number;
}

/**
 * External attention (Guo et al. 2021): instead of each other, tokens attend to a small memory that all instances and heads
 * share, at a cost linear in the tokens. The map is normalised twice: softmax over the tokens, then by its sum over the
 * memory's units.
 *
 * Layers: `query` and `projection`, linear; parameters: `keys/weight` `[d, memory]`, `values/weight` `[memory, d]`.
 *
 * @param x - tokens `[N, T, features]`
 */
export function externalAttention(
  network: Network,
  x: Tensor,
  { name, heads, memory = 64, ...weights }: ExternalAttentionOptions,
): Tensor {
  return network.scope(name, () => {
    const { batch, tokens, features, width } = tokensOf(network, x, heads);
    const memories: WeightOptions = { ...weights, bias: false };
    // No bias: it would add the same to the scores of all tokens, which the softmax over them takes away again.
    const query = linear(network, x, { ...weights, name: 'query', units: features, bias: false });
    const split = transpose(reshape(query, [batch, tokens, heads, width]), [0, 2, 1, 3]);
    const scores = linear(network, split, { ...memories, name: 'keys', units: memory });
    const overTokens = softmax(scores, 2);
    const share = div(overTokens, add(sum(overTokens, { axes: [3], keepAxes: true }), 1e-9));
    const found = linear(network, share, { ...memories, name: 'values', units: width });
    return linear(network, joinHeads(found), { ...weights, name: 'projection', units: features });
  });
}

/** `[N, heads, T, d]` as `[N, T, heads·d]`. */
function joinHeads(x: Tensor): Tensor {
  const [batch, tokens] = [axisSize(x.shape, 0), axisSize(x.shape, 2)];
  return reshape(transpose(x, [0, 2, 1, 3]), [batch, tokens, axisSize(x.shape, 1) * axisSize(x.shape, 3)]);
}

function tokensOf(network: Network, { shape }: Tensor, heads: number) {
  expectSingle(network, 'attention');
  const features = axisSize(shape, -1);
  if (shape.length !== 3 || features % heads !== 0) {
    throw new ShapeError(
      `${network.graph.scopeName}: expected tokens [N, T, features] with features a multiple of ${heads} heads, ` +
        `received [${shape.join(', ')}]`,
    );
  }
  return { batch: axisSize(shape, 0), tokens: axisSize(shape, 1), features, width: features / heads };
}
