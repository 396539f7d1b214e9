import type { Labels, NumberLabels, Values } from './arrays.js';

/*
 * Every public function checks what it is given, here, and nothing behind the door checks again. A message names the
 * argument, the index and the value, and what was expected.
 */

/** How far a row of probabilities may sum from 1. */
export const PROBABILITY_TOLERANCE = 1e-3;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value;
}

function isIntegerArray(value: unknown): value is Labels {
  return (
    Array.isArray(value) ||
    value instanceof Int32Array ||
    value instanceof Uint8Array ||
    value instanceof BigInt64Array ||
    value instanceof Uint32Array ||
    value instanceof Uint16Array ||
    value instanceof Int16Array ||
    value instanceof Int8Array ||
    value instanceof Uint8ClampedArray ||
    value instanceof BigUint64Array
  );
}

/** A number of classes: an integer from 2. */
export function checkClasses(classes: unknown, name = 'classes'): asserts classes is number {
  if (typeof classes !== 'number') throw new TypeError(`${name} is ${kindOf(classes)}; expected a number of classes`);
  if (!Number.isInteger(classes) || classes < 2) {
    throw new RangeError(`${name} is ${classes}; expected an integer of at least 2`);
  }
}

/** Labels as plain numbers, each an integer from 0 to `classes − 1`. */
export function checkLabels(labels: Labels, classes: number, name = 'labels'): NumberLabels {
  if (!isIntegerArray(labels)) {
    throw new TypeError(`${name} is ${kindOf(labels)}; expected number[] or an integer typed array`);
  }
  if (labels instanceof BigInt64Array || labels instanceof BigUint64Array) {
    return checkLabels(Array.from(labels, Number), classes, name);
  }
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] ?? Number.NaN;
    if (!(label >= 0 && label < classes) || label !== Math.floor(label)) {
      throw new RangeError(
        `${name}[${i}] is ${String(labels[i])}; expected an integer from 0 to ${classes - 1} (${classes} classes)`,
      );
    }
  }
  return labels;
}

/** Labels of which there must be some, with the class of each. */
export function checkSomeLabels(labels: Labels, classes: number, name = 'labels'): NumberLabels {
  const checked = checkLabels(labels, classes, name);
  if (checked.length === 0) throw new RangeError(`${name} is empty; expected at least one instance`);
  return checked;
}

/** A matrix of the given size, of any numbers. */
export function checkShape(values: Values, rows: number, columns: number, name: string): void {
  if (!(Array.isArray(values) || values instanceof Float32Array || values instanceof Float64Array)) {
    throw new TypeError(`${name} is ${kindOf(values)}; expected Float32Array, Float64Array or number[]`);
  }
  if (values.length !== rows * columns) {
    throw new RangeError(
      `${name} has length ${values.length}; expected ${rows} × ${columns} = ${rows * columns} values, row after row`,
    );
  }
}

/** A matrix of the given size, of finite numbers. */
export function checkFinite(values: Values, rows: number, columns: number, name: string): void {
  checkShape(values, rows, columns, name);
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      throw new RangeError(
        `${name}[${i}] (row ${Math.floor(i / columns)}) is ${String(values[i])}; expected a finite number`,
      );
    }
  }
}

/** A number of instances for each class. */
export function checkCounts(counts: Values, classes: number, name: string): void {
  checkShape(counts, 1, classes, name);
  for (let p = 0; p < classes; p++) {
    const count = counts[p];
    if (!Number.isSafeInteger(count) || !(Number(count) >= 0)) {
      throw new RangeError(`${name}[${p}] is ${String(count)}; expected a number of instances`);
    }
  }
}

/** The number of classes of a square matrix over classes. */
export function checkSquare(matrix: Values, name: string): number {
  const classes = Math.sqrt(matrix?.length);
  if (!Number.isInteger(classes) || classes < 2) {
    throw new RangeError(`${name} has length ${String(matrix?.length)}; expected a square matrix of at least 2 × 2`);
  }
  checkShape(matrix, classes, classes, name);
  return classes;
}

/** The error for the first bad row that a loop over probabilities came upon. */
export function probabilityError(probabilities: Values, row: number, columns: number, name: string): RangeError {
  let sum = 0;
  for (let q = 0; q < columns; q++) {
    const index = row * columns + q;
    const value = probabilities[index] ?? Number.NaN;
    if (!(value >= 0)) {
      return new RangeError(
        `${name}[${index}] (row ${row}, class ${q}) is ${String(probabilities[index])}; expected a probability from 0 to 1`,
      );
    }
    sum += value;
  }
  return new RangeError(`${name} row ${row} sums to ${sum}; expected 1 ± ${PROBABILITY_TOLERANCE}`);
}

/** A finite number from `least` to `most`. */
export function checkNumber(value: unknown, least: number, most: number, name: string): asserts value is number {
  if (typeof value !== 'number') throw new TypeError(`${name} is ${kindOf(value)}; expected a number`);
  if (!Number.isFinite(value) || value < least || value > most) {
    const range =
      most === Number.POSITIVE_INFINITY ? `a finite number of at least ${least}` : `a number from ${least} to ${most}`;
    throw new RangeError(`${name} is ${value}; expected ${range}`);
  }
}
