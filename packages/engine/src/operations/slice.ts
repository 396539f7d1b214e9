import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, normaliseAxis, ShapeError } from '../graph/shape.js';
import { apply, located, the } from './apply.js';

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

export const sliceOperation: Operation<SliceAttributes> = {
  name: 'slice',
  infer: (inputs, { axis, start, end, step }) => {
    const { shape, type } = the(inputs);
    if (!(start >= 0 && start < end && end <= axisSize(shape, axis) && step >= 1)) {
      throw new ShapeError(
        `expected 0 ≤ start < end ≤ ${axisSize(shape, axis)} on axis ${axis}, received start ${start}, end ${end}, step ${step}`,
      );
    }
    const taken = Math.ceil((end - start) / step);
    return [{ shape: shape.map((size, a) => (a === axis ? taken : size)), type }];
  },
  emit: ({ emitter, inputs, attributes: { axis, start, end, step } }) => [
    emitter.node('Slice', [the(inputs), ...[start, end, axis, step].map((value) => emitter.integers(value))]),
  ],
  // The gradient goes back to where the elements came from, between zeros.
  vjp: ({ gradients, inputs, attributes: { axis, start, step } }) => {
    const size = axisSize(the(inputs).shape, axis);
    return [apply(spreadOperation, [the(gradients)], { axis, start, step, size })];
  },
};

/** Elements `start` to before `end` of an axis, every `step`-th. */
export function slice(x: Tensor, { axis, start, end, step = 1 }: Range): Tensor {
  const normalised = located(sliceOperation, [x], () => normaliseAxis(axis, x.rank));
  return apply(sliceOperation, [x], { axis: normalised, start, end, step });
}

interface SpreadAttributes {
  readonly axis: number;
  readonly start: number;
  readonly step: number;
  readonly size: number;
}

/** The opposite of a slice: its elements at their places in an axis of `size`, zeros elsewhere. */
export const spreadOperation: Operation<SpreadAttributes> = {
  name: 'spread',
  infer: (inputs, { axis, size }) => {
    const { shape, type } = the(inputs);
    return [{ shape: shape.map((s, a) => (a === axis ? size : s)), type }];
  },
  emit: ({ emitter, inputs, inputTypes, attributes: { axis, start, step, size } }) => {
    const { shape } = the(inputTypes);
    const count = axisSize(shape, axis);
    // With a step: a new axis behind, broadcast times (1, 0, …), joined to the sliced one again. Pad copies one by one.
    let spread = the(inputs);
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
  vjp: ({ gradients, inputs, attributes: { axis, start, step } }) => {
    const end = start + (axisSize(the(inputs).shape, axis) - 1) * step + 1;
    return [slice(the(gradients), { axis, start, end, step })];
  },
};

/** ONNX's order of paddings: all before, then all after. */
function padValues(rank: number, axis: number, before: number, after: number): number[] {
  return [before, after].flatMap((value) => Array.from({ length: rank }, (_, a) => (a === axis ? value : 0)));
}
