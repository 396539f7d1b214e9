import { int32At } from '../checked-access.js';
import type { Column } from '../dataset/column.js';
import type { Dataset } from '../dataset/dataset.js';
import { UserError } from '../user-error.js';
import { nearestName } from '../wording/nearest-name.js';

/** For every row the first one that has the same value in the column; its own where the value is missing. */
export function firstOfGroup(column: Column): Int32Array {
  const first = new Map<number, number>();
  return Int32Array.from(numbersOf(column), (value, row) => {
    if (isMissing(column, value)) return row;
    const known = first.get(value);
    if (known === undefined) first.set(value, row);
    return known ?? row;
  });
}

/** Rows without a value in the column. */
export function missingValues(column: Column): number {
  let missing = 0;
  for (const value of numbersOf(column)) if (isMissing(column, value)) missing++;
  return missing;
}

function numbersOf(column: Column): Float64Array | Int32Array {
  return 'values' in column ? column.values : column.codes;
}

function isMissing(column: Column, value: number): boolean {
  return 'values' in column ? Number.isNaN(value) : value < 0;
}

/**
 * The smallest blocks that keep together what either of two kinds of blocks does, chains of both included. Blocks, those
 * given too, are the first instance of its block for every instance.
 */
export function joinBlocks(one: Int32Array, other: Int32Array): Int32Array {
  const parent = Int32Array.from(one);
  const root = (instance: number): number => {
    let top = instance;
    while (parent[top] !== top) top = int32At(parent, top);
    for (let below = instance; below !== top; ) {
      const next = int32At(parent, below);
      parent[below] = top;
      below = next;
    }
    return top;
  };
  for (const [instance, first] of other.entries()) {
    const [a, b] = [root(instance), root(first)];
    parent[Math.max(a, b)] = Math.min(a, b);
  }
  return parent.map((_, instance) => root(instance));
}

/** The column that the option `group` names, a feature or not. */
export function groupColumn(dataset: Dataset, name: string): Column {
  if (dataset.kind === 'images') {
    throw new UserError(
      `group is "${name}", but ${dataset.name} holds images, which have no columns. Leave the option out.`,
      { options: ['data.group'] },
    );
  }
  const columns = [...dataset.columns, ...dataset.leftOut];
  const column = columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  const names = columns.map((candidate) => candidate.name);
  const nearest = nearestName(name, names);
  const advice = nearest === undefined ? `Expected one of ${names.join(', ')}.` : `Did you mean "${nearest}"?`;
  throw new UserError(`group is "${name}", but ${dataset.name} has no such column beside its target. ${advice}`, {
    options: ['data.group'],
  });
}
