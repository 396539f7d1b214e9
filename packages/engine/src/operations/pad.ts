import { at } from '../checked-access.js';
import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { apply } from './apply.js';
import { expectType } from './elementwise.js';
import { slice } from './slice.js';

export interface Padding {
  /** Zeros in front of each axis. */
  readonly before: readonly number[];
  /** Zeros behind each axis. */
  readonly after: readonly number[];
}

export const padOperation: Operation<[x: Tensor], Padding> = {
  name: 'pad',
  infer: ([x], { before, after }) => {
    expectType(x, 'float32');
    const { shape, type } = x;
    const valid = (amounts: readonly number[]) => amounts.length === shape.length && amounts.every((n) => n >= 0);
    if (!valid(before) || !valid(after)) {
      throw new ShapeError(
        `expected ${shape.length} paddings of at least 0, received [${before}] before and [${after}] after`,
      );
    }
    return [{ shape: shape.map((size, axis) => size + at(before, axis) + at(after, axis)), type }];
  },
  emit: ({ emitter, inputs: [x], attributes: { before, after } }) => [
    emitter.node('Pad', [x, emitter.integers(...before, ...after)]),
  ],
  vjp: ({ gradient: dy, inputs: [{ shape }], attributes: { before } }) => [
    shape.reduce((inner, size, axis) => {
      const start = at(before, axis);
      return axisSize(inner.shape, axis) === size ? inner : slice(inner, { axis, start, end: start + size });
    }, dy),
  ],
};

/** Zeros around a tensor. */
export function pad(x: Tensor, before: readonly number[], after: readonly number[] = before): Tensor {
  return apply(padOperation, [x], { before, after });
}
