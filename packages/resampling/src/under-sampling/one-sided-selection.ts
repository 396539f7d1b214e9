import type { Labels, Values } from '../arrays.js';
import { type LabelledRows, minorityOf, rowsOfClass, rowsWhere } from '../labelled-rows.js';
import { neighboursAmong } from '../neighbours/nearest-neighbours.js';
import { type Resampled, selection } from '../resampled.js';
import { keepClasses } from './cleaning.js';
import { type CondensedNearestNeighbourOptions, checkCondensing, type Start } from './condensed-nearest-neighbour.js';
import { removeLinks } from './tomek-links.js';
import { majorityVote } from './votes.js';

/**
 * One-sided selection (Kubat and Matwin 1997): of each class those rows are kept that the smallest class and one random row of their own
 * classify wrongly; then Tomek links are removed.
 */
export function oneSidedSelection(
  features: Values,
  labels: Labels,
  options: CondensedNearestNeighbourOptions,
): Resampled {
  const { data, cleaned, neighbours, starts } = checkCondensing(features, labels, options, 'oneSidedSelection');
  return selection(selectOneSided(data, cleaned, starts, neighbours), data.labels);
}

/** One-sided selection from given rows. */
export function selectOneSided(
  data: LabelledRows,
  cleaned: Uint8Array,
  starts: readonly Start[],
  neighbours: number,
): Int32Array {
  const minority = rowsOfClass(data.labels, minorityOf(data.counts));
  const tallies = new Int32Array(data.counts.length);
  const kept = new Uint8Array(data.labels.length);
  for (const { label, rows: begin } of starts) {
    const store = Int32Array.from(new Set([...minority, ...begin])).sort();
    const asked = rowsOfClass(data.labels, label).filter((row) => !begin.includes(row));
    const nearest = neighboursAmong(data, store, asked, neighbours);
    asked.forEach((row, i) => {
      if (majorityVote(nearest, i, data.labels, tallies) !== label) kept[row] = 1;
    });
    for (const row of begin) kept[row] = 1;
  }
  const rows = rowsWhere(data.labels.length, (row) => cleaned[data.labels[row] ?? 0] === 0 || kept[row] === 1);
  return keepClasses(data.labels, rows, removeLinks(data, rows, cleaned));
}
