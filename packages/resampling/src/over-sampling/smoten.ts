import type { Labels, Values } from '../arrays.js';
import { checkData, checkInteger, checkSeed, neighboursInClass } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { allRows, rowsOfClass } from '../labelled-rows.js';
import type { Neighbours } from '../neighbours/nearest-neighbours.js';
import { NearestLists } from '../neighbours/row-blocks.js';
import { randomInteger, seededRandom } from '../random.js';
import { evenOffsets, type Resampled, withSynthetic } from '../resampled.js';
import { resolveStrategy } from '../strategy.js';
import { type CategoryColumn, codeColumn, mostFrequentDonors } from './categories.js';
import type { SmoteOptions } from './smote.js';

/**
 * SMOTEN (Chawla et al. 2002) for categories only: rows are near if their categories go with the same classes, by the value difference
 * metric (Stanfill and Waltz 1986). A new row has in every column the most frequent category among a row and its neighbours; of
 * equally frequent ones the smallest.
 *
 * @param features - categories as any numbers
 */
export function smoteN(features: Values, labels: Labels, options: SmoteOptions): Resampled {
  const operation = 'smoteN';
  const { seed, strategy, neighbours = 5, lenient } = options;
  const data = checkData(features, labels, operation);
  checkSeed(seed, operation);
  checkInteger(neighbours, 1, 'neighbours', operation);
  const targets = resolveStrategy(strategy, data.counts, 'over-sampling', operation).filter(({ rows }) => rows > 0);
  const random = seededRandom(seed);
  const coded = Array.from({ length: data.columns }, (_, column) => codeColumn(data.features, data.columns, column));
  const differences = coded.map((column) => valueDifferences(column, data.labels, data.counts.length));
  const made = targets.map(({ label, rows: count }) => {
    const rows = rowsOfClass(data.labels, label);
    const k = neighboursInClass(rows.length, { neighbours, lenient }, label, operation);
    const donorsOf = commonestCategories(coded, rows, neighboursByValueDifference(coded, differences, rows, k));
    const donors = new Int32Array(count * data.columns);
    const bases = new Int32Array(count).map(() => randomInteger(random, rows.length));
    bases.forEach((base, i) => {
      donors.set(donorsOf.subarray(base * data.columns, (base + 1) * data.columns), i * data.columns);
    });
    return {
      label,
      parents: bases.map((base) => rows[base] ?? outside(rows, base)),
      weights: new Float64Array(count).fill(1),
      offsets: evenOffsets(count, 1),
      donors,
    };
  });
  return withSynthetic(allRows(data.labels.length), data.labels, made, allRows(data.columns));
}

/** `δ(u, v)² = (Σ_c |p(c | u) − p(c | v)|)²` for every pair of a column's categories. */
function valueDifferences({ codes, categories }: CategoryColumn, labels: Int32Array, classes: number): Float64Array {
  const tallies = new Float64Array(categories * classes);
  const totals = new Float64Array(categories);
  codes.forEach((code, row) => {
    const place = code * classes + (labels[row] ?? 0);
    tallies[place] = (tallies[place] ?? 0) + 1;
    totals[code] = (totals[code] ?? 0) + 1;
  });
  const probability = (code: number, label: number) => (tallies[code * classes + label] ?? 0) / (totals[code] ?? 1);
  return new Float64Array(categories * categories).map((_, pair) => {
    const [u, v] = [Math.floor(pair / categories), pair % categories];
    let sum = 0;
    for (let label = 0; label < classes; label++) sum += Math.abs(probability(u, label) - probability(v, label));
    return sum * sum;
  });
}

/** The neighbours of some rows among themselves, a row not being its own. */
function neighboursByValueDifference(
  coded: readonly CategoryColumn[],
  differences: readonly Float64Array[],
  rows: Int32Array,
  k: number,
): Neighbours {
  const nearest = new NearestLists(rows.length, k);
  for (let i = 0; i < rows.length; i++) {
    for (let j = 0; j < rows.length; j++) {
      if (i === j) continue;
      let distance = 0;
      for (let n = 0; n < coded.length; n++) {
        const column = coded[n] ?? outside(coded, n);
        const [u, v] = [column.codes[rows[i] ?? 0] ?? 0, column.codes[rows[j] ?? 0] ?? 0];
        distance += differences[n]?.[u * column.categories + v] ?? 0;
      }
      nearest.offer(i, rows[j] ?? 0, distance);
    }
  }
  return nearest;
}

/** For each row and column a row that has the category that is most frequent among the row and its neighbours. */
function commonestCategories(coded: readonly CategoryColumn[], rows: Int32Array, { ids, k }: Neighbours): Int32Array {
  const donors = new Int32Array(rows.length * coded.length);
  const family = new Int32Array(k + 1);
  const tallies = coded.map(({ categories }) => new Int32Array(categories));
  for (let i = 0; i < rows.length; i++) {
    family[0] = rows[i] ?? 0;
    family.set(ids.subarray(i * k, (i + 1) * k), 1);
    for (const [n, column] of coded.entries()) {
      donors[i * coded.length + n] = mostFrequentDonors(column, family, tallies[n] ?? outside(tallies, n))[0] ?? 0;
    }
  }
  return donors;
}
