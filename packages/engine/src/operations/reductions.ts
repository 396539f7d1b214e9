import type { Operation, Tensor } from '../graph/graph.js';
import { normaliseAxis } from '../graph/shape.js';
import { type Shape, sizeOf, type TensorType } from '../graph/tensor.js';
import { apply, readArgument } from './apply.js';
import { div, mul } from './arithmetic.js';
import { broadcastTo } from './broadcast.js';
import { cast } from './cast.js';
import { equal } from './comparison.js';
import { expectType } from './elementwise.js';
import { reshape } from './reshape.js';

export interface Reduction {
  /** Axes to reduce; negative ones count from the end. @defaultValue all */
  readonly axes?: readonly number[];
  /** Keep reduced axes with size 1. @defaultValue false */
  readonly keepAxes?: boolean;
}

interface Attributes {
  readonly axes: readonly number[];
  readonly keepAxes: boolean;
}

/** Axes from 0, each once. */
function normaliseAxes(axes: readonly number[], rank: number): number[] {
  return [...new Set(axes.map((axis) => normaliseAxis(axis, rank)))];
}

function reducedShape({ shape }: TensorType, { axes, keepAxes }: Attributes): Shape {
  return shape.flatMap((size, axis) => (axes.includes(axis) ? (keepAxes ? [1] : []) : [size]));
}

/** The result of a reduction, or its gradient, in a shape that broadcasts against what was reduced. */
function stretchable(reduced: Tensor, x: Tensor, attributes: Attributes): Tensor {
  return reshape(reduced, reducedShape(x, { ...attributes, keepAxes: true }));
}

function reduction(
  name: string,
  onnx: string,
  vjp: (dy: Tensor, x: Tensor, y: Tensor, attributes: Attributes) => Tensor,
): Operation<[x: Tensor], Attributes> {
  return {
    name,
    infer: ([x], attributes) => {
      expectType(x, 'float32');
      return [{ shape: reducedShape(x, attributes), type: 'float32' }];
    },
    // Since opset 18 the axes are an input; without the last attribute, no axes would mean all of them.
    emit: ({ emitter, inputs: [x], attributes }) => [
      emitter.node(onnx, [x, emitter.integers(...attributes.axes)], {
        keepdims: attributes.keepAxes ? 1 : 0,
        noop_with_empty_axes: 1,
      }),
    ],
    vjp: ({ gradient: dy, inputs: [x], outputs: [y], attributes }) => [vjp(dy, x, y, attributes)],
  };
}

// y = Σx: every element has the gradient of its sum
export const sumOperation = reduction('sum', 'ReduceSum', (dy, x, _, attributes) =>
  broadcastTo(stretchable(dy, x, attributes), x.shape),
);

// y = Σx / n
export const meanOperation = reduction('mean', 'ReduceMean', (dy, x, y, attributes) =>
  broadcastTo(mul(stretchable(dy, x, attributes), sizeOf(y.shape) / x.size), x.shape),
);

// y = max x: to the largest elements, in equal parts where there are several
export const maxOperation = reduction('max', 'ReduceMax', (dy, x, y, attributes) => {
  const largest = cast(equal(x, stretchable(y, x, attributes)), 'float32');
  const count = sum(largest, { axes: attributes.axes, keepAxes: true });
  return mul(largest, div(stretchable(dy, x, attributes), count));
});

function reduce(operation: Operation<[x: Tensor], Attributes>) {
  return (x: Tensor, { axes = x.shape.map((_, axis) => axis), keepAxes = false }: Reduction = {}): Tensor =>
    apply(operation, [x], { axes: readArgument(operation, [x], () => normaliseAxes(axes, x.rank)), keepAxes });
}

export const sum = reduce(sumOperation);
export const mean = reduce(meanOperation);
export const max = reduce(maxOperation);

export const sumOfSquaresOperation: Operation<[x: Tensor]> = {
  name: 'sumOfSquares',
  infer: ([x]) => {
    expectType(x, 'float32');
    return [{ shape: [], type: 'float32' }];
  },
  emit: ({ emitter, inputs }) => [emitter.node('ReduceSumSquare', inputs, { keepdims: 0 })],
  // d Σx² = 2x dx
  vjp: ({ gradient: dy, inputs: [x] }) => [mul(mul(x, 2), dy)],
};

/** `Σx²` over all elements, in one pass. */
export function sumOfSquares(x: Tensor): Tensor {
  return apply(sumOfSquaresOperation, [x], {});
}
