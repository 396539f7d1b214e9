import type { Operation, Tensor } from '../graph/graph.js';
import type { ElementType } from '../graph/tensor.js';
import { apply, the } from './apply.js';

export const castOperation: Operation<{ readonly to: ElementType }> = {
  name: 'cast',
  infer: (inputs, { to }) => [{ shape: the(inputs).shape, type: to }],
  emit: ({ emitter, inputs, attributes }) => [emitter.cast(the(inputs), attributes.to)],
  vjp: null,
};

/** The same values as another type. */
export function cast(x: Tensor, to: ElementType): Tensor {
  return x.type === to ? x : apply(castOperation, [x], { to });
}
