import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { apply } from './apply.js';

export const transposeOperation: Operation<[x: Tensor], { readonly order: readonly number[] }> = {
  name: 'transpose',
  infer: ([{ shape, type }], { order }) => {
    if (order.length !== shape.length || !shape.every((_, axis) => order.includes(axis))) {
      throw new ShapeError(`expected an order of the ${shape.length} axes, received [${order.join(', ')}]`);
    }
    return [{ shape: order.map((axis) => axisSize(shape, axis)), type }];
  },
  emit: ({ emitter, inputs, attributes }) => [emitter.node('Transpose', inputs, { perm: attributes.order })],
  vjp: ({ gradient: dy, attributes: { order } }) => [
    transpose(
      dy,
      order.map((_, axis) => order.indexOf(axis)),
    ),
  ],
};

/** Axes in another order. @param order - for each new axis the old one; reversed if left out */
export function transpose(x: Tensor, order: readonly number[] = x.shape.map((_, axis) => x.rank - 1 - axis)): Tensor {
  return apply(transposeOperation, [x], { order });
}
