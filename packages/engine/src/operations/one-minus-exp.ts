import type { Operation, Tensor } from '../graph/graph.js';
import { apply } from './apply.js';
import { mul, neg } from './arithmetic.js';
import { expectType } from './elementwise.js';
import { exp } from './functions.js';

/** The smallest value: a normal float32, small enough that its powers are no infinities. */
const TINY = 1e-30;

export const oneMinusExpOperation: Operation<[x: Tensor]> = {
  name: 'oneMinusExp',
  infer: ([x]) => {
    expectType(x, 'float32');
    return [x];
  },
  // 1 − eˣ = −tanh(x/2)·(1 + eˣ): ONNX has no expm1, and 1 − eˣ itself has lost all its digits where x is near 0
  emit: ({ emitter, inputs: [x] }) => {
    const half = emitter.node('Tanh', [emitter.node('Mul', [x, emitter.float(-0.5)])]);
    const rest = emitter.node('Mul', [half, emitter.node('Add', [emitter.node('Exp', [x]), emitter.float(1)])]);
    return [emitter.node('Max', [rest, emitter.float(TINY)])];
  },
  // d(1 − eˣ) = −eˣ dx
  vjp: ({ gradient: dy, inputs: [x] }) => [neg(mul(dy, exp(x)))],
};

/** `1 − eˣ` for x ≤ 0, exact where x is near 0, and never quite 0, so that any power of it is a number. */
export function oneMinusExp(x: Tensor): Tensor {
  return apply(oneMinusExpOperation, [x], {});
}
