import type { Operation, Tensor } from '../graph/graph.js';
import { apply } from './apply.js';
import { unary } from './elementwise.js';

/** Larger than 1 over any float32 that is a normal number: scales every positive activation above 1. */
const HUGE = 1e38;

export const reluGradientOperation: Operation<[dy: Tensor, y: Tensor]> = {
  name: 'reluGradient',
  infer: ([dy]) => [dy],
  // dx = dy·[y > 0]. HardSigmoid, max(0, min(1, α·y + β)), is the mask in one pass; Sign, Where or Greater take several.
  emit: ({ emitter, inputs: [dy, y] }) => {
    const mask = emitter.node('HardSigmoid', [y], { alpha: { float: HUGE }, beta: { float: 0 } });
    return [emitter.node('Mul', [dy, mask])];
  },
  vjp: null,
};

/** `max(x, 0)` */
export const relu = unary('relu', 'Relu', (dy, _, y): Tensor => apply(reluGradientOperation, [dy, y], {}));
