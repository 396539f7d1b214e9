import type { Operation, Tensor } from '../graph/graph.js';
import { ShapeError } from '../graph/shape.js';
import { apply, the } from './apply.js';
import { expectType } from './elementwise.js';
import { slice } from './slice.js';

export interface Padding {
  /** Zeros in front of each axis. */
  readonly before: readonly number[];
  /** Zeros behind each axis. */
  readonly after: readonly number[];
}

export const padOperation: Operation<Padding> = {
  name: 'pad',
  infer: (inputs, { before, after }) => {
    const { shape, type } = the(inputs);
    expectType(the(inputs), 'float32');
    const valid = (amounts: readonly number[]) => amounts.length === shape.length && amounts.every((n) => n >= 0);
    if (!valid(before) || !valid(after)) {
      throw new ShapeError(
        `expected ${shape.length} paddings of at least 0, received [${before}] before and [${after}] after`,
      );
    }
    return [{ shape: shape.map((size, axis) => size + the(before, axis) + the(after, axis)), type }];
  },
  emit: ({ emitter, inputs, attributes: { before, after } }) => [
    emitter.node('Pad', [the(inputs), emitter.integers(...before, ...after)]),
  ],
  vjp: ({ gradients, inputs, attributes: { before } }) => {
    const { shape } = the(inputs);
    return [
      shape.reduce((inner, size, axis) => {
        const start = the(before, axis);
        return the(inner.shape, axis) === size ? inner : slice(inner, { axis, start, end: start + size });
      }, the(gradients)),
    ];
  },
};

/** Zeros around a tensor. */
export function pad(x: Tensor, before: readonly number[], after: readonly number[] = before): Tensor {
  return apply(padOperation, [x], { before, after });
}
