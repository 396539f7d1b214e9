import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, normaliseAxis, ShapeError } from '../graph/shape.js';
import { sameShape } from '../graph/tensor.js';
import { apply, located, the } from './apply.js';
import { expectType } from './elementwise.js';
import { slice } from './slice.js';

export const concatOperation: Operation<{ readonly axis: number }> = {
  name: 'concat',
  infer: (inputs, { axis }) => {
    const first = the(inputs);
    const without = (shape: readonly number[]) => shape.filter((_, a) => a !== axis);
    for (const input of inputs) {
      expectType(input, first.type);
      if (input.shape.length !== first.shape.length || !sameShape(without(input.shape), without(first.shape))) {
        throw new ShapeError(`expected shapes that differ only on axis ${axis}`);
      }
    }
    const total = inputs.reduce((sum, input) => sum + axisSize(input.shape, axis), 0);
    return [{ shape: first.shape.map((size, a) => (a === axis ? total : size)), type: first.type }];
  },
  emit: ({ emitter, inputs, attributes }) => [emitter.node('Concat', inputs, { axis: attributes.axis })],
  vjp: ({ gradients, inputs, needed, attributes: { axis } }) => {
    let start = 0;
    return inputs.map((input, i) => {
      const end = start + axisSize(input.shape, axis);
      const part = needed[i] === true ? slice(the(gradients), { axis, start, end }) : null;
      start = end;
      return part;
    });
  },
};

/** Tensors one after the other along an axis. */
export function concat(inputs: readonly Tensor[], axis: number): Tensor {
  const normalised = located(concatOperation, inputs, () => normaliseAxis(axis, the(inputs).rank));
  return apply(concatOperation, inputs, { axis: normalised });
}
