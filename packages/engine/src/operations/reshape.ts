import type { Operation, Tensor } from '../graph/graph.js';
import { ShapeError } from '../graph/shape.js';
import { type Shape, sameShape, sizeOf } from '../graph/tensor.js';
import { apply, the } from './apply.js';

export const reshapeOperation: Operation<{ readonly shape: Shape }> = {
  name: 'reshape',
  infer: (inputs, { shape }) => {
    const { type, shape: from } = the(inputs);
    if (sizeOf(from) !== sizeOf(shape)) {
      throw new ShapeError(`expected a shape of ${sizeOf(from)} elements, received [${shape.join(', ')}]`);
    }
    return [{ shape, type }];
  },
  emit: ({ emitter, inputs, attributes }) => [
    emitter.node('Reshape', [the(inputs), emitter.integers(...attributes.shape)]),
  ],
  vjp: ({ gradients, inputs }) => [reshape(the(gradients), the(inputs).shape)],
};

/** The same elements in another shape. */
export function reshape(x: Tensor, shape: Shape): Tensor {
  return sameShape(x.shape, shape) ? x : apply(reshapeOperation, [x], { shape });
}
