import type { Labels, RowBuffer, Values } from './arrays.js';
import { checkClasses, checkFinite, checkLabels, checkShape, checkSquare } from './check-arguments.js';
import { outside } from './checked-access.js';

/**
 * Label rows `Lᵉ = L·G`: row p of the generator matrix for every instance of class p. A gather, not a product.
 *
 * @param into - where to write, `labels.length × classes`, for instance a {@link labelBuffer} that is used again every
 * epoch; untouched if an argument is bad
 * @returns `into`, or a new `Float32Array`
 *
 * @example
 * ```ts
 * encodeLabels([1, 0], [1, 0, -0.5, 1.5]); // [-0.5, 1.5, 1, 0]
 * ```
 */
export function encodeLabels(labels: Labels, generator: Values): Float32Array;
export function encodeLabels<Rows extends RowBuffer>(labels: Labels, generator: Values, into: Rows): Rows;
export function encodeLabels(labels: Labels, generator: Values, into?: RowBuffer): RowBuffer {
  const classes = checkSquare(generator, 'generator');
  checkFinite(generator, classes, classes, 'generator');
  const instances = checkLabels(labels, classes);
  if (into !== undefined) checkShape(into, instances.length, classes, 'into');
  const rows = into ?? new Float32Array(instances.length * classes);
  const table = rows instanceof Float32Array ? Float32Array.from(generator) : Float64Array.from(generator);
  // One view per class, not per instance, and of the kind of `rows`: then `set` copies memory.
  const labelRows = Array.from({ length: classes }, (_, p) => table.subarray(p * classes, (p + 1) * classes));
  for (let i = 0; i < instances.length; i++) {
    const label = instances[i] ?? outside(instances, i);
    rows.set(labelRows[label] ?? outside(labelRows, label), i * classes);
  }
  return rows;
}

/** Room for the label rows of `count` instances: allocate it once and let {@link encodeLabels} fill it every epoch. */
export function labelBuffer(count: number, classes: number): Float32Array {
  checkClasses(classes);
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`count is ${count}; expected a number of instances`);
  }
  return new Float32Array(count * classes);
}
