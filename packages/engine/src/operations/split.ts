import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { sizeOf } from '../graph/tensor.js';
import { applyForAll } from './apply.js';
import { concat } from './concat.js';

export const splitOperation: Operation<[x: Tensor], { readonly sizes: readonly number[] }, readonly Tensor[]> = {
  name: 'split',
  infer: ([{ type, shape }], { sizes }) => {
    const size = axisSize(shape, 0);
    if (sizes.length === 0 || sizes.reduce((sum, part) => sum + part, 0) !== size) {
      throw new ShapeError(`expected parts of ${size} in all, received [${sizes.join(', ')}]`);
    }
    return sizes.map((part) => ({ shape: [part, ...shape.slice(1)], type }));
  },
  emit: ({ emitter, inputs: [x], attributes: { sizes } }) =>
    emitter.nodeOfSeveral('Split', [x, emitter.integers(...sizes)], sizes, { axis: 0 }),
  vjp: ({ gradients, outputs }) => [
    concat(
      outputs.map(({ graph, shape }, i) => gradients[i] ?? graph.constant(new Float32Array(sizeOf(shape)), shape)),
      0,
    ),
  ],
};

/** Parts of the given sizes, one after the other along the first axis. */
export function split(x: Tensor, sizes: readonly number[]): readonly Tensor[] {
  return applyForAll(splitOperation, [x], { sizes });
}
