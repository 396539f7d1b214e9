import type { Labels, Values } from '../arrays.js';
import { checkData, checkInteger, checkNumber, checkSeed, neighboursInClass } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { allRows, type LabelledRows, minorityOf, rowsOfClass } from '../labelled-rows.js';
import { type Neighbours, neighboursAmong } from '../neighbours/nearest-neighbours.js';
import { type Random, randomInteger, seededRandom } from '../random.js';
import { type Resampled, withSynthetic } from '../resampled.js';
import { resolveStrategy } from '../strategy.js';
import { type CategoryColumn, codeColumn, mostFrequentDonors } from './categories.js';
import { drawSegments } from './segments.js';
import type { SmoteOptions } from './smote.js';
import { medianOf, standardDeviations } from './spread.js';

/** Options of {@link smoteNC}. */
export interface SmoteNCOptions extends SmoteOptions {
  /** The columns that hold categories, as any numbers; there has to be at least one other column. */
  readonly categorical: readonly number[];
  /**
   * What two different categories add to a squared distance, in units of `m²`, m being the median of the standard deviations of the other
   * columns in the smallest class. 1, as published, unless given; imbalanced-learn before 0.12 has 0.5.
   */
  readonly mismatch?: number;
}

/**
 * SMOTE-NC (Chawla et al. 2002) for numbers and categories: numbers as SMOTE makes them; a category is the most frequent one among the
 * neighbours, with ties broken at random.
 */
export function smoteNC(features: Values, labels: Labels, options: SmoteNCOptions): Resampled {
  const operation = 'smoteNC';
  const { seed, strategy, neighbours = 5, lenient, categorical, mismatch = 1 } = options;
  const data = checkData(features, labels, operation);
  checkSeed(seed, operation);
  checkInteger(neighbours, 1, 'neighbours', operation);
  checkNumber(mismatch, 0, 'mismatch', operation);
  const columns = checkCategorical(categorical, data.columns, operation);
  if (columns.length === data.columns) {
    throw new RangeError(
      `${operation}: all ${data.columns} columns are categorical; expected others as well. Use smoteN instead`,
    );
  }
  const targets = resolveStrategy(strategy, data.counts, 'over-sampling', operation).filter(({ rows }) => rows > 0);
  const random = seededRandom(seed);
  const coded = Array.from(columns, (column) => codeColumn(data.features, data.columns, column));
  const space = mixedSpace(data, columns, coded, mismatch);
  const made = targets.map(({ label, rows: count }) => {
    const rows = rowsOfClass(data.labels, label);
    const k = neighboursInClass(rows.length, { neighbours, lenient }, label, operation);
    const nearest = neighboursAmong(space, rows, rows, k);
    const segments = drawSegments(rows, nearest, count, random);
    return { label, ...segments, donors: chooseDonors(coded, rows, nearest, segments.bases, random) };
  });
  return withSynthetic(allRows(data.labels.length), data.labels, made, columns);
}

/** Numbers of categorical columns, ascending. */
function checkCategorical(categorical: unknown, columns: number, operation: string): Int32Array {
  if (!Array.isArray(categorical) || categorical.length === 0) {
    throw new TypeError(
      `${operation}: categorical is ${String(categorical)}; expected a list of at least one column number. Use smote if there is none`,
    );
  }
  for (const column of categorical) {
    if (!Number.isInteger(column) || column < 0 || column >= columns) {
      throw new RangeError(
        `${operation}: categorical has ${String(column)}; expected column numbers from 0 to ${columns - 1}`,
      );
    }
  }
  return Int32Array.from(new Set<number>(categorical)).sort();
}

/**
 * A space in which the Euclidean distance is SMOTE-NC's: the numbers, and for each category of a column a coordinate that is 0 or
 * `m·√(mismatch / 2)`. Two rows of different categories differ in two of them.
 */
export function mixedSpace(
  data: LabelledRows,
  categorical: Int32Array,
  coded: readonly CategoryColumn[],
  mismatch: number,
): { features: Float64Array; columns: number } {
  const continuous = Array.from({ length: data.columns }, (_, column) => column).filter(
    (column) => !categorical.includes(column),
  );
  const minority = rowsOfClass(data.labels, minorityOf(data.counts));
  const spreads = standardDeviations(data, minority);
  const median = medianOf(Float64Array.from(continuous, (column) => spreads[column] ?? 0));
  const entry = median * Math.sqrt(mismatch / 2);
  const columns = coded.reduce((sum, { categories }) => sum + categories, continuous.length);
  const features = new Float64Array(data.labels.length * columns);
  for (let row = 0; row < data.labels.length; row++) {
    let place = row * columns;
    for (const column of continuous)
      features[place++] = data.features[row * data.columns + column] ?? outside(data.features, row);
    for (const { codes, categories } of coded) {
      features[place + (codes[row] ?? 0)] = entry;
      place += categories;
    }
  }
  return { features, columns };
}

/** For each new row and categorical column a neighbour of its base that has the category chosen; the base itself if it has none. */
function chooseDonors(
  coded: readonly CategoryColumn[],
  of: Int32Array,
  { ids, k }: Neighbours,
  bases: Int32Array,
  random: Random,
): Int32Array {
  const donors = new Int32Array(bases.length * coded.length);
  const tallies = coded.map(({ categories }) => new Int32Array(categories));
  for (let i = 0; i < bases.length; i++) {
    const base = bases[i] ?? 0;
    const rows = k === 0 ? of.subarray(base, base + 1) : ids.subarray(base * k, (base + 1) * k);
    for (const [n, column] of coded.entries()) {
      const candidates = mostFrequentDonors(column, rows, tallies[n] ?? outside(tallies, n));
      donors[i * coded.length + n] = candidates[randomInteger(random, candidates.length)] ?? 0;
    }
  }
  return donors;
}
