import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { LabelledRows } from '../../src/labelled-rows.js';
import { countClasses } from '../../src/labelled-rows.js';

/** What scripts/golden_resampling.py draws and reads, drawn and read again. */

/** Numerical Recipes' linear congruential generator: the same 24-bit integers in every language. */
export function seededIntegers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % limit;
  };
}

export function labelled(rows: readonly (readonly number[])[], labels: readonly number[]): LabelledRows {
  const checked = Int32Array.from(labels);
  return {
    features: Float64Array.from(rows.flat()),
    columns: rows[0]?.length ?? 0,
    labels: checked,
    counts: countClasses(checked, Math.max(...labels) + 1),
  };
}

/** Every third data set lies on a grid and is full of equal rows and equal distances; the others have none. */
export function drawDataSet(seed: number): LabelledRows {
  const next = seededIntegers(seed);
  const grid = seed % 3 === 0;
  const columns = 1 + next(24);
  const classes = seed % 2 === 0 ? 2 : 3 + next(2);
  const smallest = 8 + next(12);
  const labels: number[] = [];
  for (let place = 0; place < classes; place++) {
    const count = place === 0 ? smallest : smallest + 20 * place + next(60);
    for (let i = 0; i < count; i++) labels.push((place + (seed >> 1)) % classes);
  }
  for (let i = labels.length - 1; i > 0; i--) {
    const j = next(i + 1);
    [labels[i], labels[j]] = [labels[j] ?? 0, labels[i] ?? 0];
  }
  const value = grid
    ? (label: number) => next(4) + label * next(2)
    : (label: number) => (next(2 ** 20) + next(2 ** 20) + next(2 ** 20) + label * 2 ** 18) / 2 ** 20;
  return labelled(
    labels.map((label) => Array.from({ length: columns }, () => value(label))),
    labels,
  );
}

/** A table of categories, and one of numbers and categories. */
export function drawCategories(seed: number): { nominal: number[][]; mixed: number[][]; labels: number[] } {
  const next = seededIntegers(seed);
  const labels = Array.from({ length: 100 + next(60) }, (_, i) => (i % 5 === 0 ? 1 : 0));
  const nominal = labels.map((label) => [0, 1, 2, 3].map((column) => next(3 + column) + (next(2) === 0 ? label : 0)));
  const numbers = labels.map((label) => [0, 1, 2].map(() => (next(2 ** 20) + label * 2 ** 18) / 2 ** 20));
  const mixed = nominal.map((row, i) => [...row.slice(0, 2), ...(numbers[i] ?? [])]);
  return { nominal, mixed, labels };
}

const TABLE_ROWS = 700;

/** Numeric columns of every n-th row; classes of 12 rows or more, in the order of their names, one after the other. */
export function readTable(path: string): LabelledRows {
  const all = readFileSync(path, 'utf8').split('\n').slice(1);
  const lines = all.filter((line) => line !== '').map((line) => line.split(','));
  const step = Math.ceil(lines.length / TABLE_ROWS);
  const some = lines.filter((_, i) => i % step === 0);
  const nameOf = (cells: string[]) => cells[cells.length - 1] ?? '';
  const names = [...new Set(some.map(nameOf))].sort();
  const groups = names
    .map((name) => some.filter((cells) => nameOf(cells) === name))
    .filter(({ length }) => length >= 12);
  const rows = groups.flat();
  const numeric = [...(rows[0] ?? []).keys()]
    .slice(0, -1)
    .filter((column) => rows.every((cells) => Number.isFinite(Number(cells[column]))));
  return labelled(
    rows.map((cells) => numeric.map((column) => Number(cells[column]))),
    groups.flatMap((group, label) => group.map(() => label)),
  );
}

/** The rows of the largest class first, the rest as they are. */
export function majorityFirst({ features, columns, labels, counts }: LabelledRows, majority: number): LabelledRows {
  const order = [...labels.keys()].sort((a, b) => Number(labels[a] !== majority) - Number(labels[b] !== majority));
  return {
    features: Float64Array.from(order.flatMap((row) => [...features.subarray(row * columns, (row + 1) * columns)])),
    columns,
    labels: Int32Array.from(order, (row) => labels[row] ?? 0),
    counts,
  };
}

/** As the script writes what it does not store: a hash of 32-bit integers, and how many there are. */
export function digest(numbers: Iterable<number>): string {
  const integers = Int32Array.from(numbers);
  const bytes = new Uint8Array(integers.buffer);
  return `${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}:${integers.length}`;
}
