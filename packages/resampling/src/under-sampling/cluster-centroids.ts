import type { Labels, Values } from '../arrays.js';
import { checkChoice, checkData, checkSeed } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { kMeans } from '../clustering/k-means.js';
import { type LabelledRows, rowsOfClass } from '../labelled-rows.js';
import { type Random, seededRandom } from '../random.js';
import { type Resampled, selection, withSynthetic } from '../resampled.js';
import { resolveStrategy, type Strategy } from '../strategy.js';
import { selectPerClass } from './select-per-class.js';

/** Options of {@link clusterCentroids}. */
export interface ClusterCentroidsOptions {
  /** Decides every random choice. */
  readonly seed: number;
  /** Which classes keep how many rows; `'auto'` cuts all down to the size of the smallest. */
  readonly strategy?: Strategy;
  /** `'soft'`: the centroids themselves are the new rows; `'hard'`: the rows nearest to them. `'soft'` unless given. */
  readonly voting?: 'soft' | 'hard';
}

/**
 * Cluster centroids: a class is divided by k-means into as many clusters as rows are wanted, and each is replaced by its centroid, a synthetic
 * row whose parents are the rows of the cluster.
 */
export function clusterCentroids(features: Values, labels: Labels, options: ClusterCentroidsOptions): Resampled {
  const operation = 'clusterCentroids';
  const { seed, strategy, voting = 'soft' } = options;
  const data = checkData(features, labels, operation);
  checkSeed(seed, operation);
  checkChoice(voting, ['soft', 'hard'], 'voting', operation);
  const targets = resolveStrategy(strategy, data.counts, 'under-sampling', operation);
  const random = seededRandom(seed);
  const clustered = targets.map(({ label, rows: count }) => ({ label, ...clusterClass(data, label, count, random) }));
  if (voting === 'hard') {
    const rows = selectPerClass(data, targets, ({ label }) => {
      const found = clustered.find((other) => other.label === label);
      return found === undefined ? new Int32Array() : nearestMembers(data, found.members);
    });
    return selection(rows, data.labels);
  }
  const others = selectPerClass(data, targets, () => new Int32Array());
  const made = clustered.map(({ label, members }) => {
    const offsets = new Int32Array(members.length + 1);
    for (const [i, { length }] of members.entries()) offsets[i + 1] = (offsets[i] ?? 0) + length;
    const weights = members.flatMap(({ length }) => Array<number>(length).fill(1 / length));
    return { label, offsets, parents: Int32Array.from(members.flat()), weights: Float64Array.from(weights) };
  });
  return withSynthetic(others, data.labels, made);
}

/** The rows of each cluster of a class. */
function clusterClass(data: LabelledRows, label: number, count: number, random: Random): { members: number[][] } {
  const { features, columns } = data;
  const rows = rowsOfClass(data.labels, label);
  const points = new Float64Array(rows.length * columns);
  rows.forEach((row, i) => {
    points.set(features.subarray(row * columns, (row + 1) * columns), i * columns);
  });
  const { clusters } = kMeans(points, columns, count, random);
  const members = Array.from({ length: count }, (): number[] => []);
  clusters.forEach((cluster, i) => {
    members[cluster]?.push(rows[i] ?? outside(rows, i));
  });
  return { members };
}

/** Of each cluster the row nearest to its centroid; of equally near ones the first. */
function nearestMembers({ features, columns }: LabelledRows, members: readonly number[][]): Int32Array {
  return Int32Array.from(members, (rows) => {
    const mean = new Float64Array(columns);
    for (const row of rows)
      for (let c = 0; c < columns; c++) mean[c] = (mean[c] ?? 0) + (features[row * columns + c] ?? 0) / rows.length;
    const distances = rows.map((row) =>
      mean.reduce((sum, value, c) => sum + (value - (features[row * columns + c] ?? 0)) ** 2, 0),
    );
    return rows[distances.indexOf(Math.min(...distances))] ?? outside(rows, 0);
  });
}
