import type { Labels, Values } from '../arrays.js';
import { checkChoice, checkEnoughRows, checkInteger } from '../check-arguments.js';
import { allRows, minorityOf, rowsOfClass } from '../labelled-rows.js';
import { neighboursAmong } from '../neighbours/nearest-neighbours.js';
import { type Resampled, selection } from '../resampled.js';
import { checkCleaning, keepClasses } from './cleaning.js';
import { type EditedNearestNeighboursOptions, removeDisputed } from './edited-nearest-neighbours.js';
import { isUnanimous, majorityVote } from './votes.js';

/** Options of {@link neighbourhoodCleaning}. */
export interface NeighbourhoodCleaningOptions extends EditedNearestNeighboursOptions {
  /** A class loses neighbours of the smallest class only if it has more than this part of all rows; 0.5 unless given. */
  readonly threshold?: number;
}

/**
 * The neighbourhood cleaning rule (Laurikkala 2001): removes the rows that most of their neighbours disagree with, and of large classes
 * also the neighbours of those rows of the smallest class that their neighbours disagree with.
 */
export function neighbourhoodCleaning(
  features: Values,
  labels: Labels,
  options: NeighbourhoodCleaningOptions = {},
): Resampled {
  const operation = 'neighbourhoodCleaning';
  const { strategy, neighbours = 3, agreement = 'all', threshold = 0.5 } = options;
  const { data, cleaned } = checkCleaning(features, labels, strategy, operation);
  checkInteger(neighbours, 1, 'neighbours', operation);
  checkChoice(agreement, ['all', 'mode'], 'agreement', operation);
  checkEnoughRows(data.labels.length, neighbours, 'the data', operation);
  if (!(threshold > 0 && threshold < 1)) {
    throw new RangeError(`${operation}: threshold is ${String(threshold)}; expected a number between 0 and 1`);
  }
  const all = allRows(data.labels.length);
  const left = removeDisputed(data, all, cleaned, neighbours, 'mode');
  const minority = minorityOf(data.counts);
  const members = rowsOfClass(data.labels, minority);
  const nearest = neighboursAmong(data, all, members, neighbours);
  const tallies = new Int32Array(data.counts.length);
  const removed = new Uint8Array(data.labels.length);
  for (let i = 0; i < members.length; i++) {
    const agreed =
      agreement === 'all'
        ? isUnanimous(nearest, i, data.labels, minority)
        : majorityVote(nearest, i, data.labels, tallies) === minority;
    if (agreed) continue;
    for (const row of nearest.ids.subarray(i * neighbours, (i + 1) * neighbours)) {
      const label = data.labels[row] ?? 0;
      if (cleaned[label] === 1 && (data.counts[label] ?? 0) > data.labels.length * threshold) removed[row] = 1;
    }
  }
  const rest = left.filter((row) => removed[row] === 0);
  return selection(keepClasses(data.labels, all, rest), data.labels);
}
