import type { Labels, Values } from '../arrays.js';
import { checkChoice, checkData, checkInteger } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { type LabelledRows, minorityOf, rowsOfClass } from '../labelled-rows.js';
import { type Neighbours, neighboursAmong } from '../neighbours/nearest-neighbours.js';
import { type Resampled, selection } from '../resampled.js';
import { resolveStrategy, type Strategy } from '../strategy.js';
import { selectPerClass } from './select-per-class.js';

/** Options of {@link nearMiss}. */
export interface NearMissOptions {
  /** Which classes keep how many rows; `'auto'` cuts all down to the size of the smallest. */
  readonly strategy?: Strategy;
  /**
   * Kept are: 1, the rows nearest to their nearest neighbours in the smallest class; 2, the rows nearest to the rows of the smallest class
   * that are farthest from them; 3, of the neighbours of the smallest class, those farthest from their own neighbours in it. 1 unless given.
   */
  readonly version?: 1 | 2 | 3;
  /** Over how many rows of the smallest class distances are added up; 3 unless given. */
  readonly neighbours?: number;
  /** Version 3: how many neighbours of each row of the smallest class are considered; 3 unless given. */
  readonly candidates?: number;
  /** Whether fewer rows are added up where the smallest class has fewer, instead of refusing it. `false` unless given. */
  readonly lenient?: boolean;
}

/** NearMiss (Mani and Zhang 2003): keeps the rows of larger classes that lie nearest to the smallest class. Version 3 may keep fewer. */
export function nearMiss(features: Values, labels: Labels, options: NearMissOptions = {}): Resampled {
  const operation = 'nearMiss';
  const { strategy, version = 1, neighbours: asked = 3, candidates = 3, lenient = false } = options;
  const data = checkData(features, labels, operation);
  checkChoice(version, [1, 2, 3], 'version', operation);
  checkInteger(asked, 1, 'neighbours', operation);
  checkInteger(candidates, 1, 'candidates', operation);
  const targets = resolveStrategy(strategy, data.counts, 'under-sampling', operation);
  const minority = rowsOfClass(data.labels, minorityOf(data.counts));
  const neighbours = Math.min(asked, minority.length);
  if (neighbours < asked && !lenient) {
    throw new RangeError(
      `${operation}: neighbours is ${asked}; expected at most the ${minority.length} rows of the smallest class`,
    );
  }
  const rows = selectPerClass(data, targets, ({ label, rows: count }) => {
    const own = rowsOfClass(data.labels, label);
    if (version === 1) return smallest(own, nearestSums(data, minority, own, neighbours), count);
    if (version === 2) return smallest(own, farthestSums(data, minority, own, neighbours), count);
    const k = Math.min(candidates, own.length);
    const near = Int32Array.from(new Set(neighboursAmong(data, own, minority, k).ids)).sort();
    return smallest(
      near,
      nearestSums(data, minority, near, neighbours).map((sum) => -sum),
      count,
    );
  });
  return selection(rows, data.labels);
}

/** The rows with the smallest numbers, in their order; of those equal to the largest that is taken the first. */
function smallest(rows: Int32Array, numbers: Float64Array, count: number): Int32Array {
  if (count >= rows.length) return rows;
  const sorted = numbers.slice().sort();
  const largest = sorted[count - 1] ?? Number.NEGATIVE_INFINITY;
  let equal = count - sorted.subarray(0, count).indexOf(largest);
  return rows.filter((_, i) => {
    const number = numbers[i] ?? outside(numbers, i);
    return number < largest || (number === largest && equal-- > 0);
  });
}

/** For each row the sum of the distances to its nearest rows. */
function nearestSums(data: LabelledRows, among: Int32Array, of: Int32Array, k: number): Float64Array {
  return sums(neighboursAmong(data, among, of, k), of.length);
}

function sums({ distances, k }: Neighbours, count: number): Float64Array {
  return new Float64Array(count).map((_, i) => {
    let sum = 0;
    for (let j = 0; j < k; j++) sum += Math.sqrt(distances[i * k + j] ?? outside(distances, i * k + j));
    return sum;
  });
}

/** For each row the sum of the distances to its farthest rows. */
function farthestSums({ features, columns }: LabelledRows, among: Int32Array, of: Int32Array, k: number): Float64Array {
  const farthest = new Float64Array(k);
  return Float64Array.from(of, (row) => {
    farthest.fill(-1);
    for (let i = 0; i < among.length; i++) {
      const other = (among[i] ?? outside(among, i)) * columns;
      let squared = 0;
      for (let column = 0; column < columns; column++) {
        const difference = (features[row * columns + column] ?? 0) - (features[other + column] ?? 0);
        squared += difference * difference;
      }
      insertLargest(farthest, squared);
    }
    return farthest.reduce((sum, squared) => sum + Math.sqrt(squared), 0);
  });
}

/** Keeps the largest numbers seen, in ascending order. */
function insertLargest(largest: Float64Array, number: number): void {
  if (number <= (largest[0] ?? 0)) return;
  let place = 0;
  for (; place + 1 < largest.length && (largest[place + 1] ?? 0) < number; place++)
    largest[place] = largest[place + 1] ?? 0;
  largest[place] = number;
}
