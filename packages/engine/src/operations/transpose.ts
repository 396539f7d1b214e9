import type { Operation, Tensor } from '../graph/graph.js';
import { ShapeError } from '../graph/shape.js';
import { apply, the } from './apply.js';

export const transposeOperation: Operation<{ readonly order: readonly number[] }> = {
  name: 'transpose',
  infer: (inputs, { order }) => {
    const { shape, type } = the(inputs);
    if (order.length !== shape.length || !shape.every((_, axis) => order.includes(axis))) {
      throw new ShapeError(`expected an order of the ${shape.length} axes, received [${order.join(', ')}]`);
    }
    return [{ shape: order.map((axis) => the(shape, axis)), type }];
  },
  emit: ({ emitter, inputs, attributes }) => [emitter.node('Transpose', inputs, { perm: attributes.order })],
  vjp: ({ gradients, attributes: { order } }) => [
    transpose(
      the(gradients),
      order.map((_, axis) => order.indexOf(axis)),
    ),
  ],
};

/** Axes in another order. @param order - for each new axis the old one; reversed if left out */
export function transpose(x: Tensor, order: readonly number[] = x.shape.map((_, axis) => x.rank - 1 - axis)): Tensor {
  return apply(transposeOperation, [x], { order });
}
