import { at } from '../checked-access.js';
import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, normaliseAxis, ShapeError } from '../graph/shape.js';
import { sameShape } from '../graph/tensor.js';
import { apply, readArgument } from './apply.js';
import { expectType } from './elementwise.js';
import { slice } from './slice.js';

export const concatOperation: Operation<readonly Tensor[], { readonly axis: number }> = {
  name: 'concat',
  infer: (inputs, { axis }) => {
    const first = at(inputs, 0);
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
  vjp: ({ gradient: dy, inputs, needed, attributes: { axis } }) => {
    let start = 0;
    return inputs.map((input, i) => {
      const end = start + axisSize(input.shape, axis);
      const part = needed[i] === true ? slice(dy, { axis, start, end }) : null;
      start = end;
      return part;
    });
  },
};

/** Tensors one after the other along an axis. */
export function concat(inputs: readonly Tensor[], axis: number): Tensor {
  const normalised = readArgument(concatOperation, inputs, () => normaliseAxis(axis, at(inputs, 0).rank));
  return apply(concatOperation, inputs, { axis: normalised });
}
