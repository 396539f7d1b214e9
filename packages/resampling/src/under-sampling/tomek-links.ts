import type { Labels, Values } from '../arrays.js';
import { checkEnoughRows } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { allRows, type LabelledRows } from '../labelled-rows.js';
import { neighboursAmong } from '../neighbours/nearest-neighbours.js';
import { type Resampled, selection } from '../resampled.js';
import { type CleaningOptions, checkCleaning, keepClasses } from './cleaning.js';

/**
 * Tomek links (Tomek 1976): two rows of different classes that are each other's nearest neighbours. Those of the classes to clean are
 * removed.
 */
export function tomekLinks(features: Values, labels: Labels, { strategy }: CleaningOptions = {}): Resampled {
  const { data, cleaned } = checkCleaning(features, labels, strategy, 'tomekLinks');
  checkEnoughRows(data.labels.length, 1, 'the data', 'tomekLinks');
  const all = allRows(data.labels.length);
  return selection(keepClasses(data.labels, all, removeLinks(data, all, cleaned)), data.labels);
}

/**
 * Those of some rows that are left without the links among them.
 *
 * @param cleaned - 1 for classes that may lose rows
 */
export function removeLinks(data: LabelledRows, rows: Int32Array, cleaned: Uint8Array): Int32Array {
  const { ids } = neighboursAmong(data, rows, rows, 1);
  const nearestOf = new Int32Array(data.labels.length).fill(-1);
  rows.forEach((row, i) => {
    nearestOf[row] = ids[i] ?? outside(ids, i);
  });
  return rows.filter((row) => {
    const label = data.labels[row] ?? 0;
    const nearest = nearestOf[row] ?? -1;
    return cleaned[label] === 0 || data.labels[nearest] === label || nearestOf[nearest] !== row;
  });
}
