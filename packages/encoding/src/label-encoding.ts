import type { Labels, NumberLabels, RowBuffer, Values } from './arrays.js';
import { checkClasses, checkFinite, checkLabels, checkShape, checkSquare } from './check-arguments.js';
import { allocateRows, copyRows } from './kernel/kernel.js';

/** Rows of at least this many numbers are copied faster by the engine's own `set` than by a loop. */
const LONG_ROW = 32;

/**
 * Label rows `Lᵉ = L·G`: row p of the generator matrix for every instance of class p. A gather, not a product.
 *
 * @param into - where to write, `labels.length × classes`; untouched if an argument is bad. The fastest is a
 * {@link labelBuffer} that is used again every epoch.
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
  if (!copyRows(instances, table, classes, rows)) copyRowsPlainly(instances, table, classes, rows);
  return rows;
}

/**
 * Room for the label rows of `count` instances that {@link encodeLabels} fills at the speed of memory, several times
 * faster than an ordinary array of the same size. Allocate it once and encode into it every epoch.
 *
 * It is an ordinary `Float32Array` in every respect but one: its memory belongs to WebAssembly, so it can be copied to
 * another thread but not transferred.
 */
export function labelBuffer(count: number, classes: number): Float32Array {
  checkClasses(classes);
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`count is ${count}; expected a number of instances`);
  }
  return allocateRows(count, classes) ?? new Float32Array(count * classes);
}

function copyRowsPlainly(labels: NumberLabels, table: RowBuffer, classes: number, into: RowBuffer): void {
  if (classes < LONG_ROW) {
    for (let i = 0, to = 0; i < labels.length; i++) {
      let from = (labels[i] ?? 0) * classes;
      const end = from + classes;
      while (from < end) into[to++] = table[from++] ?? 0;
    }
    return;
  }
  for (let i = 0; i < labels.length; i++) {
    const from = (labels[i] ?? 0) * classes;
    into.set(table.subarray(from, from + classes), i * classes);
  }
}
