import type { ElementType, Shape } from '../../../src/graph/tensor.js';
import { sizeOf } from '../../../src/graph/tensor.js';

/** A tensor of plain numbers, for implementations that are slow, obvious and in float64. A boolean is 0 or 1. */
export interface NdArray {
  readonly shape: Shape;
  readonly type: ElementType;
  readonly data: readonly number[];
}

/** An array whose elements a function of their index gives. */
export function build(
  shape: Shape,
  element: (index: readonly number[]) => number,
  type: ElementType = 'float32',
): NdArray {
  return { shape, type, data: Array.from({ length: sizeOf(shape) }, (_, flat) => element(indexOf(shape, flat))) };
}

export function indexOf(shape: Shape, flat: number): number[] {
  const index: number[] = [];
  let rest = flat;
  for (const size of shape.slice().reverse()) {
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index;
}

/** The element at an index. */
export function at({ shape, data }: NdArray, ...index: readonly number[]): number {
  let flat = 0;
  for (const [axis, size] of shape.entries()) flat = flat * size + (index[axis] ?? Number.NaN);
  return item(data, flat);
}

/** The element that an index of a larger, broadcast shape falls on. */
export function atBroadcast(array: NdArray, index: readonly number[]): number {
  const own = index.slice(index.length - array.shape.length);
  return at(array, ...own.map((i, axis) => (array.shape[axis] === 1 ? 0 : i)));
}

/** The shape of arrays that are stretched to each other. */
export function stretched(...shapes: readonly Shape[]): number[] {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) =>
    Math.max(...shapes.map((shape) => shape[axis - rank + shape.length] ?? 1)),
  );
}

/** An item of a list that is there. */
export function item<Item>(items: readonly Item[], index: number): Item {
  const found = items[index];
  if (found === undefined) throw new RangeError(`no item ${index} among ${items.length}`);
  return found;
}

/** Adds up what a function of the integers below `count` gives. */
export function total(count: number, term: (i: number) => number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += term(i);
  return sum;
}
