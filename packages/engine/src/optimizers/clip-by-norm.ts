import type { Tensor } from '../graph/graph.js';
import { sizeOf } from '../graph/tensor.js';
import { add, div, mul } from '../operations/arithmetic.js';
import { less, where } from '../operations/comparison.js';
import { concat } from '../operations/concat.js';
import { sqrt } from '../operations/functions.js';
import { sum, sumOfSquares } from '../operations/reductions.js';
import { reshape } from '../operations/reshape.js';
import { split } from '../operations/split.js';
import type { GradientTransform, Weights } from './optimizer.js';

/** PyTorch's, against division by zero. */
const EPSILON = 1e-6;

/**
 * Scales all gradients together so that their norm, over all parameters, is at most `max`: PyTorch's `clip_grad_norm_`. In a
 * pack every network has a norm of its own.
 */
export function clipByNorm(max: number): GradientTransform {
  if (!(max > 0)) throw new RangeError(`max is ${max}; expected a number above 0`);
  const factorOf = (squares: Tensor) => {
    const { graph } = squares;
    const ratio = div(graph.scalar(max), add(sqrt(squares), EPSILON));
    return where(less(ratio, 1), ratio, graph.scalar(1));
  };
  return ({ gradient, members, pack }) =>
    pack === null ? mul(gradient, factorOf(sumOfSquares(gradient))) : clipEach(gradient, members, pack, factorOf);
}

function clipEach(
  gradient: Tensor,
  members: Weights['members'],
  pack: number,
  factorOf: (squares: Tensor) => Tensor,
): Tensor {
  const sizes = members.map(({ shape }) => sizeOf(shape));
  const parts = split(gradient, sizes).map((part) => reshape(part, [pack, part.size / pack]));
  const squares = parts.map((part) => sum(mul(part, part), { axes: [1], keepAxes: true }));
  const factor = factorOf(squares.reduce((all, one) => add(all, one)));
  return concat(
    parts.map((part) => reshape(mul(part, factor), [part.size])),
    0,
  );
}
