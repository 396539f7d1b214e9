import type { Operation, Tensor } from '../graph/graph.js';
import { ShapeError } from '../graph/shape.js';
import { type Shape, sameShape, sizeOf } from '../graph/tensor.js';
import { apply } from './apply.js';

export const reshapeOperation: Operation<[x: Tensor], { readonly shape: Shape }> = {
  name: 'reshape',
  infer: ([{ type, shape: from }], { shape }) => {
    if (sizeOf(from) !== sizeOf(shape)) {
      throw new ShapeError(`expected a shape of ${sizeOf(from)} elements, received [${shape.join(', ')}]`);
    }
    return [{ shape, type }];
  },
  // The first axis, mostly the batch, is not written as a number: an exported model takes batches of any size. A batch of one
  // looks like any other axis of size 1. Behind the axis of a pack the same holds for the second.
  emit: ({ emitter, inputs: [x], inputTypes: [{ shape: from }], attributes: { shape } }) => {
    const [first, ...rest] = shape;
    const kept = first === undefined ? [] : [first > 1 && first === from[0] ? 0 : -1];
    const [second, ...others] = rest;
    if (kept[0] === 0 && others.length > 0 && second === from[1]) {
      return [emitter.node('Reshape', [x, emitter.integers(0, 0, ...others)])];
    }
    return [emitter.node('Reshape', [x, emitter.integers(...kept, ...rest)])];
  },
  vjp: ({ gradient: dy, inputs: [x] }) => [reshape(dy, x.shape)],
};

/** The same elements in another shape. */
export function reshape(x: Tensor, shape: Shape): Tensor {
  return sameShape(x.shape, shape) ? x : apply(reshapeOperation, [x], { shape });
}
