import type { Operation, Tensor } from '../graph/graph.js';
import { broadcastShapes } from '../graph/shape.js';
import { apply } from './apply.js';
import { binary, expectType } from './elementwise.js';

const COMPARABLE = ['float32', 'int64', 'int32'] as const;

export const equal = binary('equal', 'Equal', null, COMPARABLE, 'bool');
export const greater = binary('greater', 'Greater', null, COMPARABLE, 'bool');
export const less = binary('less', 'Less', null, COMPARABLE, 'bool');

export const whereOperation: Operation<[condition: Tensor, a: Tensor, b: Tensor]> = {
  name: 'where',
  infer: ([condition, a, b]) => {
    expectType(condition, 'bool');
    expectType(a, 'float32', 'int64', 'int32');
    expectType(b, a.type);
    return [{ shape: broadcastShapes(condition.shape, broadcastShapes(a.shape, b.shape)), type: a.type }];
  },
  emit: ({ emitter, inputs }) => [emitter.node('Where', inputs)],
  // Each side has the gradient where it was chosen, and 0 elsewhere.
  vjp: ({ gradient: dy, inputs: [condition] }) => {
    const zero = dy.graph.scalar(0);
    return [null, where(condition, dy, zero), where(condition, zero, dy)];
  },
};

/** `a` where the condition holds, `b` elsewhere. */
export function where(condition: Tensor, a: Tensor, b: Tensor): Tensor {
  return apply(whereOperation, [condition, a, b], {});
}
