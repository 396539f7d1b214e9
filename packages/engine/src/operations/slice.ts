import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, normaliseAxis, ShapeError } from '../graph/shape.js';
import { apply, readArgument } from './apply.js';

/** A range of every axis: from `start` to before `end`, every `step`-th element. */
export interface Range {
  readonly axis: number;
  readonly start: number;
  readonly end: number;
  /** @defaultValue 1 */
  readonly step?: number;
}

interface SliceAttributes {
  readonly axis: number;
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

export const sliceOperation: Operation<[x: Tensor], SliceAttributes> = {
  name: 'slice',
  infer: ([{ shape, type }], { axis, start, end, step }) => {
    if (!(start >= 0 && start < end && end <= axisSize(shape, axis) && step >= 1)) {
      throw new ShapeError(
        `expected 0 ≤ start < end ≤ ${axisSize(shape, axis)} on axis ${axis}, received start ${start}, end ${end}, step ${step}`,
      );
    }
    const taken = Math.ceil((end - start) / step);
    return [{ shape: shape.map((size, a) => (a === axis ? taken : size)), type }];
  },
  emit: ({ emitter, inputs: [x], attributes: { axis, start, end, step } }) => [
    emitter.node('Slice', [x, ...[start, end, axis, step].map((value) => emitter.integers(value))]),
  ],
  // The gradient goes back to where the elements came from, between zeros.
  vjp: ({ gradient: dy, inputs: [x], attributes: { axis, start, step } }) => [
    apply(spreadOperation, [dy], { axis, start, step, size: axisSize(x.shape, axis) }),
  ],
};

/** Elements `start` to before `end` of an axis, every `step`-th. */
export function slice(x: Tensor, { axis, start, end, step = 1 }: Range): Tensor {
  const normalised = readArgument(sliceOperation, [x], () => normaliseAxis(axis, x.rank));
  return apply(sliceOperation, [x], { axis: normalised, start, end, step });
}

interface SpreadAttributes {
  readonly axis: number;
  readonly start: number;
  readonly step: number;
  readonly size: number;
}

/** The opposite of a slice: its elements at their places in an axis of `size`, zeros elsewhere. */
export const spreadOperation: Operation<[x: Tensor], SpreadAttributes> = {
  name: 'spread',
  infer: ([{ shape, type }], { axis, size }) => [{ shape: shape.map((s, a) => (a === axis ? size : s)), type }],
  emit: ({ emitter, inputs: [x], inputTypes: [{ shape }], attributes: { axis, start, step, size } }) => {
    const count = axisSize(shape, axis);
    // With a step: a new axis behind, broadcast times (1, 0, …), joined to the sliced one again. Pad copies one by one.
    let spread = x;
    let width = count;
    if (step > 1) {
      const split = [...shape.slice(0, axis + 1), 1, ...shape.slice(axis + 1)];
      const first = Float32Array.from({ length: step }, (_, i) => (i === 0 ? 1 : 0));
      const mask = emitter.constant(first, [step, ...shape.slice(axis + 1).map(() => 1)]);
      spread = emitter.node('Reshape', [spread, emitter.integers(...split)]);
      spread = emitter.node('Mul', [spread, mask]);
      spread = emitter.node('Reshape', [
        spread,
        emitter.integers(...shape.map((s, a) => (a === axis ? count * step : s))),
      ]);
      width = count * step;
    }
    if (start === 0 && width === size) return [spread];
    // Padding may be negative: zeros behind the last element that do not fit are cut off.
    return [
      emitter.node('Pad', [spread, emitter.integers(...padValues(shape.length, axis, start, size - start - width))]),
    ];
  },
  vjp: ({ gradient: dy, inputs: [x], attributes: { axis, start, step } }) => {
    const end = start + (axisSize(x.shape, axis) - 1) * step + 1;
    return [slice(dy, { axis, start, end, step })];
  },
};

/** ONNX's order of paddings: all before, then all after. */
function padValues(rank: number, axis: number, before: number, after: number): number[] {
  return [before, after].flatMap((value) => Array.from({ length: rank }, (_, a) => (a === axis ? value : 0)));
}
