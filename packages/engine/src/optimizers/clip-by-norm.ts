import type { Operation, Tensor } from '../graph/graph.js';
import { apply } from '../operations/apply.js';
import { add, div, mul } from '../operations/arithmetic.js';
import { less, where } from '../operations/comparison.js';
import { sqrt } from '../operations/functions.js';
import type { GradientTransform } from './optimizer.js';

/** PyTorch's, against division by zero. */
const EPSILON = 1e-6;

const sumOfSquaresOperation: Operation<[x: Tensor]> = {
  name: 'sumOfSquares',
  infer: () => [{ shape: [], type: 'float32' }],
  emit: ({ emitter, inputs }) => [emitter.node('ReduceSumSquare', inputs, { keepdims: 0 })],
  vjp: null,
};

/**
 * Scales all gradients together so that their norm, over all parameters, is at most `max`: PyTorch's `clip_grad_norm_`.
 */
export function clipByNorm(max: number): GradientTransform {
  if (!(max > 0)) throw new RangeError(`max is ${max}; expected a number above 0`);
  return ({ gradient }) => {
    const { graph } = gradient;
    const ratio = div(graph.scalar(max), add(sqrt(sumOfSquares(gradient)), EPSILON));
    return mul(gradient, where(less(ratio, 1), ratio, graph.scalar(1)));
  };
}

function sumOfSquares(x: Tensor): Tensor {
  return apply(sumOfSquaresOperation, [x], {});
}
