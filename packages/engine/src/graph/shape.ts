import type { Shape } from './tensor.js';

/** What a shape rule throws; the graph adds scope and operation. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

/** The shape that two shapes broadcast to, by NumPy's rule: aligned at the end, 1 stretches. */
export function broadcastShapes(a: Shape, b: Shape): Shape {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, axis) => {
    const left = a[axis - rank + a.length] ?? 1;
    const right = b[axis - rank + b.length] ?? 1;
    if (left !== right && left !== 1 && right !== 1) {
      throw new ShapeError(`expected shapes that broadcast, received [${a.join(', ')}] and [${b.join(', ')}]`);
    }
    return left === 1 ? right : left;
  });
}

/** Axes of `from` that a broadcast of `to` stretched or added: summing over them undoes it. */
export function broadcastAxes(from: Shape, to: Shape): number[] {
  const added = from.length - to.length;
  return from.flatMap((size, axis) => (axis < added || (to[axis - added] === 1 && size !== 1) ? [axis] : []));
}

/** An axis from 0, given one that may count from the end. */
export function normaliseAxis(axis: number, rank: number): number {
  const normalised = axis < 0 ? axis + rank : axis;
  if (!Number.isInteger(axis) || normalised < 0 || normalised >= rank) {
    throw new ShapeError(`expected an axis from ${-rank} to ${rank - 1}, received ${axis}`);
  }
  return normalised;
}

/** Size of an axis that must be there. */
export function axisSize(shape: Shape, axis: number): number {
  const size = shape[axis < 0 ? axis + shape.length : axis];
  if (size === undefined) throw new ShapeError(`expected axis ${axis}, received shape [${shape.join(', ')}]`);
  return size;
}
