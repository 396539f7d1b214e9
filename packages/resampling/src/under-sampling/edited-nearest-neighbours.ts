import type { Labels, Values } from '../arrays.js';
import { checkChoice, checkEnoughRows, checkInteger } from '../check-arguments.js';
import { allRows, countClasses, type LabelledRows, minorityOf, presentClasses } from '../labelled-rows.js';
import { neighboursAmong } from '../neighbours/nearest-neighbours.js';
import { type Resampled, selection } from '../resampled.js';
import { resolveStrategy, type Strategy } from '../strategy.js';
import { type CleaningOptions, checkCleaning, keepClasses, maskOf } from './cleaning.js';
import { isUnanimous, majorityVote } from './votes.js';

/** Which neighbours must be of a row's class for the row to stay: all of them, or as many as of no other class. */
export type Agreement = 'all' | 'mode';

/** Options of {@link editedNearestNeighbours}. */
export interface EditedNearestNeighboursOptions extends CleaningOptions {
  /** How many neighbours a row has; 3 unless given. */
  readonly neighbours?: number;
  /** `'all'` unless given, which removes more. */
  readonly agreement?: Agreement;
}

/** Edited nearest neighbours (Wilson 1972): removes the rows that their neighbours do not agree with. */
export function editedNearestNeighbours(
  features: Values,
  labels: Labels,
  options: EditedNearestNeighboursOptions = {},
): Resampled {
  const operation = 'editedNearestNeighbours';
  const { strategy, neighbours = 3, agreement = 'all' } = options;
  const { data, cleaned } = checkCleaning(features, labels, strategy, operation);
  checkEditing(data, neighbours, agreement, operation);
  const all = allRows(data.labels.length);
  const left = removeDisputed(data, all, cleaned, neighbours, agreement);
  return selection(keepClasses(data.labels, all, left), data.labels);
}

function checkEditing(data: LabelledRows, neighbours: unknown, agreement: unknown, operation: string): void {
  checkInteger(neighbours, 1, 'neighbours', operation);
  checkChoice(agreement, ['all', 'mode'], 'agreement', operation);
  checkEnoughRows(data.labels.length, neighbours, 'the data', operation);
}

/**
 * Those of some rows that their neighbours among them agree with, and those of classes that may not lose any.
 *
 * @param cleaned - 1 for classes that may lose rows
 */
export function removeDisputed(
  data: LabelledRows,
  rows: Int32Array,
  cleaned: Uint8Array,
  neighbours: number,
  agreement: Agreement,
): Int32Array {
  const asked = rows.filter((row) => cleaned[data.labels[row] ?? 0] === 1);
  const nearest = neighboursAmong(data, rows, asked, neighbours);
  const tallies = new Int32Array(data.counts.length);
  const disputed = new Uint8Array(data.labels.length);
  asked.forEach((row, i) => {
    const label = data.labels[row] ?? 0;
    const agreed =
      agreement === 'all'
        ? isUnanimous(nearest, i, data.labels, label)
        : majorityVote(nearest, i, data.labels, tallies) === label;
    if (!agreed) disputed[row] = 1;
  });
  return rows.filter((row) => disputed[row] === 0);
}

/** Options of {@link repeatedEditedNearestNeighbours}. */
export interface RepeatedEditedNearestNeighboursOptions extends EditedNearestNeighboursOptions {
  /** The most repetitions; 100 unless given. */
  readonly repetitions?: number;
}

/**
 * Edited nearest neighbours again and again (Tomek 1976), until nothing changes, a class has become smaller than the smallest was, or a
 * class would be lost.
 */
export function repeatedEditedNearestNeighbours(
  features: Values,
  labels: Labels,
  options: RepeatedEditedNearestNeighboursOptions = {},
): Resampled {
  const operation = 'repeatedEditedNearestNeighbours';
  const { strategy, neighbours = 3, agreement = 'all', repetitions = 100 } = options;
  const { data } = checkCleaning(features, labels, strategy, operation);
  checkEditing(data, neighbours, agreement, operation);
  checkInteger(repetitions, 1, 'repetitions', operation);
  const sizes = Array<number>(repetitions).fill(neighbours);
  return selection(editRepeatedly(data, sizes, { strategy, agreement, untilStable: true }, operation), data.labels);
}

/** Options of {@link allKNearestNeighbours}. */
export interface AllKNearestNeighboursOptions extends EditedNearestNeighboursOptions {
  /** Whether to go on when a class has become smaller than the smallest was; `false` unless given. */
  readonly allowMinority?: boolean;
}

/** All-kNN (Tomek 1976): edited nearest neighbours with 1 neighbour, then with 2, up to `neighbours`. */
export function allKNearestNeighbours(
  features: Values,
  labels: Labels,
  options: AllKNearestNeighboursOptions = {},
): Resampled {
  const operation = 'allKNearestNeighbours';
  const { strategy, neighbours = 3, agreement = 'all', allowMinority = false } = options;
  const { data } = checkCleaning(features, labels, strategy, operation);
  checkEditing(data, neighbours, agreement, operation);
  const sizes = Array.from({ length: neighbours }, (_, i) => i + 1);
  return selection(editRepeatedly(data, sizes, { strategy, agreement, allowMinority }, operation), data.labels);
}

/** One editing for each number of neighbours; which classes it cleans depends on what the one before has left. */
function editRepeatedly(
  data: LabelledRows,
  sizes: readonly number[],
  options: {
    readonly strategy: Strategy | undefined;
    readonly agreement: Agreement;
    readonly untilStable?: boolean;
    readonly allowMinority?: boolean;
  },
  operation: string,
): Int32Array {
  const classes = data.counts.length;
  const minority = minorityOf(data.counts);
  const smallest = data.counts[minority] ?? 0;
  const countsOf = (some: Int32Array) =>
    countClasses(
      some.map((row) => data.labels[row] ?? 0),
      classes,
    );
  let rows = allRows(data.labels.length);
  for (const neighbours of sizes) {
    if (rows.length <= neighbours) break;
    const cleaned = maskOf(resolveStrategy(options.strategy, countsOf(rows), 'cleaning', operation), classes);
    const left = removeDisputed(data, rows, cleaned, neighbours, options.agreement);
    const counts = countsOf(left);
    if (presentClasses(counts).length < presentClasses(data.counts).length) break;
    const stable = left.length === rows.length;
    rows = left;
    const overtaken = presentClasses(counts).some((label) => label !== minority && (counts[label] ?? 0) < smallest);
    if ((stable && options.untilStable === true) || (overtaken && options.allowMinority !== true)) break;
  }
  return rows;
}
