import type { Operation, Tensor } from '../graph/graph.js';
import { apply, type NoAttributes, the } from './apply.js';
import { unary } from './elementwise.js';

/** Larger than 1 over any float32 that is a normal number: scales every positive activation above 1. */
const HUGE = 1e38;

export const reluGradientOperation: Operation<NoAttributes> = {
  name: 'reluGradient',
  infer: (inputs) => [the(inputs)],
  // dx = dy·[y > 0]. Multiply and clip to [0, 1] is several times faster in ONNX Runtime than Sign, Where or Greater.
  emit: ({ emitter, inputs }) => {
    const scaled = emitter.node('Mul', [the(inputs, 1), emitter.float(HUGE)]);
    const mask = emitter.node('Min', [scaled, emitter.float(1)]);
    return [emitter.node('Mul', [the(inputs), mask])];
  },
  vjp: null,
};

/** `max(x, 0)` */
export const relu = unary('relu', 'Relu', (dy, _, y): Tensor => apply(reluGradientOperation, [dy, y], {}));
