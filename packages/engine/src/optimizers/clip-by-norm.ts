import type { Operation, Tensor } from '../graph/graph.js';
import { apply, type NoAttributes } from '../operations/apply.js';
import { add, div, mul } from '../operations/arithmetic.js';
import { less, where } from '../operations/comparison.js';
import { expectType } from '../operations/elementwise.js';
import { sqrt } from '../operations/functions.js';
import type { GradientTransform } from './optimizer.js';

/** PyTorch's, against division by zero. */
const EPSILON = 1e-6;

const sumOfSquaresOperation: Operation<NoAttributes> = {
  name: 'sumOfSquares',
  infer: (inputs) => {
    for (const input of inputs) expectType(input, 'float32');
    return [{ shape: [], type: 'float32' }];
  },
  emit: ({ emitter, inputs }) => {
    const squares = inputs.map((input) => emitter.node('ReduceSumSquare', [input], { keepdims: 0 }));
    return [emitter.node('Sum', squares)];
  },
  vjp: null,
};

/**
 * Scales all gradients together so that their norm, over all parameters, is at most `max`: PyTorch's `clip_grad_norm_`.
 */
export function clipByNorm(max: number): GradientTransform {
  if (!(max > 0)) throw new RangeError(`max is ${max}; expected a number above 0`);
  return (all) => {
    if (all.length === 0) return all;
    const norm = sqrt(sumOfSquares(all.map(({ gradient }) => gradient)));
    const { graph } = norm;
    const ratio = div(graph.scalar(max), add(norm, EPSILON));
    const factor = where(less(ratio, 1), ratio, graph.scalar(1));
    return all.map((weights) => ({ ...weights, gradient: mul(weights.gradient, factor) }));
  };
}

function sumOfSquares(tensors: readonly Tensor[]): Tensor {
  return apply(sumOfSquaresOperation, tensors, {});
}
