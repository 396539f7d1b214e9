import type { Operation, Tensor } from '../graph/graph.js';
import type { ElementType } from '../graph/tensor.js';
import { apply } from './apply.js';

export const castOperation: Operation<[x: Tensor], { readonly to: ElementType }> = {
  name: 'cast',
  infer: ([{ shape }], { to }) => [{ shape, type: to }],
  emit: ({ emitter, inputs: [x], attributes }) => [emitter.cast(x, attributes.to)],
  vjp: null,
};

/** The same values as another type. */
export function cast(x: Tensor, to: ElementType): Tensor {
  return x.type === to ? x : apply(castOperation, [x], { to });
}
