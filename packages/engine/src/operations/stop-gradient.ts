import type { Operation, Tensor } from '../graph/graph.js';
import { apply } from './apply.js';

// Not in the registry: central differences, which operations there are tested by, see what gradients must not.
const stopGradientOperation: Operation<[x: Tensor]> = {
  name: 'stopGradient',
  infer: ([x]) => [x],
  emit: ({ inputs: [x] }) => [x],
  vjp: () => [null],
};

/** `x` itself, as a constant to the gradient: what it was computed from learns nothing by it. */
export function stopGradient(x: Tensor): Tensor {
  return apply(stopGradientOperation, [x], {});
}
