import { add, div, mul } from '../operations/arithmetic.js';
import { less, where } from '../operations/comparison.js';
import { sqrt } from '../operations/functions.js';
import { sumOfSquares } from '../operations/reductions.js';
import type { GradientTransform } from './optimizer.js';

/** PyTorch's, against division by zero. */
const EPSILON = 1e-6;

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
