import type { Operation, Tensor } from '../graph/graph.js';
import { broadcastShapes, ShapeError } from '../graph/shape.js';
import { type Shape, sameShape } from '../graph/tensor.js';
import { apply } from './apply.js';

export const broadcastToOperation: Operation<[x: Tensor], { readonly shape: Shape }> = {
  name: 'broadcastTo',
  infer: ([{ shape: from, type }], { shape }) => {
    if (!sameShape(broadcastShapes(from, shape), shape)) {
      throw new ShapeError(`expected a shape that [${from.join(', ')}] broadcasts to, received [${shape.join(', ')}]`);
    }
    return [{ shape, type }];
  },
  emit: ({ emitter, inputs: [x], attributes }) => [emitter.node('Expand', [x, emitter.integers(...attributes.shape)])],
  vjp: ({ gradient: dy }) => [dy], // the differentiator sums over what was stretched
};

/** Repeats a tensor along axes of size 1, and along new ones in front. */
export function broadcastTo(x: Tensor, shape: Shape): Tensor {
  return sameShape(x.shape, shape) ? x : apply(broadcastToOperation, [x], { shape });
}
