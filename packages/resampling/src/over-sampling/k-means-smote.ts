import type { Labels, Values } from '../arrays.js';
import { checkData, checkInteger, checkNumber, checkSeed } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { miniBatchKMeans } from '../clustering/mini-batch-k-means.js';
import { allRows, type LabelledRows, rowsOfClass, rowsWhere } from '../labelled-rows.js';
import { neighboursAmong } from '../neighbours/nearest-neighbours.js';
import { squaredDistance } from '../neighbours/squared-distance.js';
import { type Random, seededRandom } from '../random.js';
import { type Resampled, withSynthetic } from '../resampled.js';
import { resolveStrategy } from '../strategy.js';
import { drawSegments } from './segments.js';
import type { SmoteOptions } from './smote.js';

/** Options of {@link kMeansSmote}. */
export interface KMeansSmoteOptions extends SmoteOptions {
  /** The number of clusters, found by (mini-batch) k-means, or the cluster of every row, found by anything else; 8 unless given. */
  readonly clusters?: number | Int32Array;
  /**
   * The smallest share of a cluster's rows with which a class gets new rows there. Unless given, half of the class's share of all new rows: with two
   * classes, a half.
   */
  readonly balanceThreshold?: number;
  /** How strongly sparse clusters are preferred; unless given it grows with the number of rows, as `0.16·(log₁.₆ n)^1.8`. */
  readonly densityExponent?: number;
}

/**
 * k-means SMOTE (Last et al. 2017): SMOTE inside those clusters of the data in which a class has a large enough share, most in those in which its
 * rows are farthest apart. Numbers are rounded up cluster by cluster, so that there may be a few more rows than the strategy asks for.
 */
export function kMeansSmote(features: Values, labels: Labels, options: KMeansSmoteOptions): Resampled {
  const operation = 'kMeansSmote';
  const { seed, strategy, neighbours = 2, lenient = false } = options;
  const { clusters = 8, balanceThreshold, densityExponent } = options;
  const data = checkData(features, labels, operation);
  checkSeed(seed, operation);
  checkInteger(neighbours, 1, 'neighbours', operation);
  if (balanceThreshold !== undefined) checkNumber(balanceThreshold, 0, 'balanceThreshold', operation);
  if (densityExponent !== undefined) checkNumber(densityExponent, 0, 'densityExponent', operation);
  const random = seededRandom(seed);
  const assigned = assignClusters(data, clusters, random, operation);
  const targets = resolveStrategy(strategy, data.counts, 'over-sampling', operation).filter(({ rows }) => rows > 0);
  const total = targets.reduce((sum, { rows }) => sum + rows, 0);
  const made = targets.flatMap(({ label, rows: count }) => {
    const threshold = clusters === 1 ? 0 : (balanceThreshold ?? count / total / 2);
    const homes = clustersOf(data, assigned, label).filter(
      ({ rows, share }) => share >= threshold && rows.length > neighbours,
    );
    if (homes.length === 0) {
      if (lenient) return plainSmote(data, label, neighbours, count, random);
      throw new RangeError(
        `${operation}: no cluster has a share of at least ${threshold} and more than ${neighbours} rows of class ${label}; expected at ` +
          'least one. Ask for more clusters, a smaller balanceThreshold or fewer neighbours, or use smote',
      );
    }
    const sparsities = homes.map(({ rows }) => sparsityOf(data, rows, densityExponent));
    const sum = sparsities.reduce((all, sparsity) => all + sparsity, 0);
    return homes.map(({ rows }, i) => {
      // All rows equal: no cluster is sparser than another.
      const share = sum > 0 ? (sparsities[i] ?? 0) / sum : 1 / homes.length;
      const segments = drawSegments(
        rows,
        neighboursAmong(data, rows, rows, neighbours),
        Math.ceil(count * share),
        random,
      );
      return { label, ...segments };
    });
  });
  return withSynthetic(allRows(data.labels.length), data.labels, made);
}

/** SMOTE of a class that is at home nowhere. */
function plainSmote(data: LabelledRows, label: number, neighbours: number, count: number, random: Random) {
  const rows = rowsOfClass(data.labels, label);
  const k = Math.min(neighbours, rows.length - 1);
  return { label, ...drawSegments(rows, neighboursAmong(data, rows, rows, k), count, random) };
}

function assignClusters(data: LabelledRows, clusters: unknown, random: Random, operation: string): Int32Array {
  const rows = data.labels.length;
  if (clusters instanceof Int32Array) {
    if (clusters.length === rows && clusters.every((cluster) => cluster >= 0)) return clusters;
    throw new RangeError(
      `${operation}: clusters has ${clusters.length} entries; expected ${rows} integers of at least 0, one for each row`,
    );
  }
  checkInteger(clusters, 1, 'clusters', operation);
  return miniBatchKMeans(data.features, data.columns, Math.min(clusters, rows), random);
}

/** The rows of a class in each cluster, and what part of the cluster they are. */
function clustersOf(data: LabelledRows, assigned: Int32Array, label: number): { rows: Int32Array; share: number }[] {
  const sizes: number[] = new Array(assigned.reduce((most, cluster) => Math.max(most, cluster), 0) + 1).fill(0);
  for (const cluster of assigned) sizes[cluster] = (sizes[cluster] ?? 0) + 1;
  return sizes.map((size, cluster) => {
    const rows = rowsWhere(assigned.length, (row) => assigned[row] === cluster && data.labels[row] === label);
    return { rows, share: size === 0 ? 0 : rows.length / size };
  });
}

/** `(mean distance of two rows)^exponent / number of rows` */
function sparsityOf({ features, columns }: LabelledRows, rows: Int32Array, exponent: number | undefined): number {
  let sum = 0;
  for (let i = 0; i < rows.length; i++) {
    const a = (rows[i] ?? outside(rows, i)) * columns;
    for (let j = 0; j < i; j++) {
      const b = (rows[j] ?? outside(rows, j)) * columns;
      sum += Math.sqrt(squaredDistance(features, a, features, b, columns, Number.POSITIVE_INFINITY));
    }
  }
  const mean = (2 * sum) / (rows.length * (rows.length - 1));
  return mean ** (exponent ?? 0.16 * (Math.log(rows.length) / Math.log(1.6)) ** 1.8) / rows.length;
}
