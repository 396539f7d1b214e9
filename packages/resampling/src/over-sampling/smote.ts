import type { Labels, Values } from '../arrays.js';
import { checkData, checkInteger, checkSeed, neighboursInClass } from '../check-arguments.js';
import { allRows, type LabelledRows, rowsOfClass } from '../labelled-rows.js';
import { neighboursAmong } from '../neighbours/nearest-neighbours.js';
import { type Random, seededRandom } from '../random.js';
import { type Resampled, withSynthetic } from '../resampled.js';
import { resolveStrategy, type Strategy, type Target } from '../strategy.js';
import { drawSegments } from './segments.js';

/** Options of all over-sampling methods. */
export interface OverSamplingOptions {
  /** Decides every random choice. */
  readonly seed: number;
  /** Which classes get how many rows; `'auto'` fills all up to the size of the largest. */
  readonly strategy?: Strategy;
}

/** Options of {@link smote}. */
export interface SmoteOptions extends OverSamplingOptions {
  /** How many nearest rows of its own class a row may be joined with; 5 unless given. */
  readonly neighbours?: number;
  /**
   * Whether a class that is too small, or in which a method finds no place for new rows, is filled up as well as possible instead of refused: with as
   * many neighbours as there are, by repeating a single row, and by plain SMOTE where ADASYN or k-means SMOTE would do nothing. `false` unless given.
   */
  readonly lenient?: boolean;
}

/**
 * SMOTE (Chawla et al. 2002): new rows at random places on the segments between rows of a class and their nearest neighbours in it.
 *
 * @param features - one row per label, row after row
 */
export function smote(features: Values, labels: Labels, options: SmoteOptions): Resampled {
  const { data, targets, random } = checkSmote(features, labels, options, 'smote');
  return overSample(data, targets, random);
}

/** How many rows a class gets, from how many neighbours of each of its rows. */
interface SmoteTarget extends Target {
  readonly neighbours: number;
}

/** The checks of SMOTE, which its combinations with cleaning share. */
export function checkSmote(
  features: Values,
  labels: Labels,
  { seed, strategy, neighbours = 5, lenient }: SmoteOptions,
  operation: string,
): { data: LabelledRows; targets: SmoteTarget[]; random: Random } {
  const data = checkData(features, labels, operation);
  checkSeed(seed, operation);
  checkInteger(neighbours, 1, 'neighbours', operation);
  const targets = resolveStrategy(strategy, data.counts, 'over-sampling', operation).filter(({ rows }) => rows > 0);
  return {
    data,
    targets: targets.map(({ label, rows }) => {
      const k = neighboursInClass(data.counts[label] ?? 0, { neighbours, lenient }, label, operation);
      return { label, rows, neighbours: k };
    }),
    random: seededRandom(seed),
  };
}

/** SMOTE of checked data. */
export function overSample(data: LabelledRows, targets: readonly SmoteTarget[], random: Random): Resampled {
  const made = targets.map(({ label, rows: count, neighbours }) => {
    const rows = rowsOfClass(data.labels, label);
    return { label, ...drawSegments(rows, neighboursAmong(data, rows, rows, neighbours), count, random) };
  });
  return withSynthetic(allRows(data.labels.length), data.labels, made);
}
