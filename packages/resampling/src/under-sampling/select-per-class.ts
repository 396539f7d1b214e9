import { type LabelledRows, rowsWhere } from '../labelled-rows.js';
import type { Target } from '../strategy.js';

/** All rows of the classes that are not resampled, and of the others what is selected, in ascending order. */
export function selectPerClass(
  { labels }: LabelledRows,
  targets: readonly Target[],
  select: (target: Target) => Int32Array,
): Int32Array {
  const resampled = new Set(targets.map(({ label }) => label));
  const others = rowsWhere(labels.length, (row) => !resampled.has(labels[row] ?? -1));
  const selected = targets.map(select);
  const rows = new Int32Array(selected.reduce((sum, { length }) => sum + length, others.length));
  rows.set(others);
  let place = others.length;
  for (const list of selected) {
    rows.set(list, place);
    place += list.length;
  }
  return rows.sort();
}
