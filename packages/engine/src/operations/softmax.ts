import type { Operation, Tensor } from '../graph/graph.js';
import { normaliseAxis } from '../graph/shape.js';
import { apply, readArgument } from './apply.js';
import { mul, sub } from './arithmetic.js';
import { expectType } from './elementwise.js';
import { exp } from './functions.js';
import { sum } from './reductions.js';

interface Attributes {
  readonly axis: number;
}

function normaliser(
  name: string,
  onnx: string,
  vjp: (dy: Tensor, y: Tensor, axis: number) => Tensor,
): Operation<[x: Tensor], Attributes> {
  return {
    name,
    infer: ([x]) => {
      expectType(x, 'float32');
      return [x];
    },
    emit: ({ emitter, inputs, attributes }) => [emitter.node(onnx, inputs, { axis: attributes.axis })],
    vjp: ({ gradient: dy, outputs: [y], attributes }) => [vjp(dy, y, attributes.axis)],
  };
}

// dx = y·(dy − Σ dy·y)
export const softmaxOperation = normaliser('softmax', 'Softmax', (dy, y, axis) =>
  mul(y, sub(dy, sum(mul(dy, y), { axes: [axis], keepAxes: true }))),
);

// dx = dy − eʸ·Σ dy
export const logSoftmaxOperation = normaliser('logSoftmax', 'LogSoftmax', (dy, y, axis) =>
  sub(dy, mul(exp(y), sum(dy, { axes: [axis], keepAxes: true }))),
);

/** `eˣ / Σ eˣ` along an axis, the last one if left out. */
export function softmax(x: Tensor, axis = -1): Tensor {
  return apply(softmaxOperation, [x], { axis: readArgument(softmaxOperation, [x], () => normaliseAxis(axis, x.rank)) });
}

/** `log(eˣ / Σ eˣ)` along an axis, exact where the softmax underflows. */
export function logSoftmax(x: Tensor, axis = -1): Tensor {
  return apply(logSoftmaxOperation, [x], {
    axis: readArgument(logSoftmaxOperation, [x], () => normaliseAxis(axis, x.rank)),
  });
}
