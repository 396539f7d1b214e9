import { outside } from './checked-access.js';

/** A checked data set: a matrix of finite numbers, and the class of each of its rows. */
export interface LabelledRows {
  /** Row after row. */
  readonly features: Float64Array;
  readonly columns: number;
  readonly labels: Int32Array;
  /** The number of rows of each class, absent ones included. */
  readonly counts: Int32Array;
}

/** The number of rows of each class. */
export function countClasses(labels: Int32Array, classes: number): Int32Array {
  const counts = new Int32Array(classes);
  for (let row = 0; row < labels.length; row++) {
    const label = labels[row] ?? outside(labels, row);
    counts[label] = (counts[label] ?? outside(counts, label)) + 1;
  }
  return counts;
}

/** 0, 1, 2, …: all rows. */
export function allRows(count: number): Int32Array {
  const rows = new Int32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  return rows;
}

/** The rows of a class, in their order. */
export function rowsOfClass(labels: Int32Array, label: number): Int32Array {
  return rowsWhere(labels.length, (row) => labels[row] === label);
}

/** The rows that fulfil a condition, in their order. */
export function rowsWhere(count: number, condition: (row: number) => boolean): Int32Array {
  const rows = new Int32Array(count);
  let found = 0;
  for (let row = 0; row < count; row++) if (condition(row)) rows[found++] = row;
  return rows.slice(0, found);
}

/** The class with the fewest rows, at least one; of equally small classes the first. */
export function minorityOf(counts: Int32Array): number {
  let minority = -1;
  for (let label = 0; label < counts.length; label++) {
    const count = counts[label] ?? outside(counts, label);
    if (count > 0 && (minority < 0 || count < (counts[minority] ?? 0))) minority = label;
  }
  return minority;
}

/** The class with the most rows; of equally large classes the first. */
export function majorityOf(counts: Int32Array): number {
  let majority = 0;
  for (let label = 1; label < counts.length; label++) {
    if ((counts[label] ?? 0) > (counts[majority] ?? 0)) majority = label;
  }
  return majority;
}

/** The classes that have rows. */
export function presentClasses(counts: Int32Array): number[] {
  return Array.from(counts.keys()).filter((label) => (counts[label] ?? 0) > 0);
}
