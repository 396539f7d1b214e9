import { outside } from '../checked-access.js';
import { allRows } from '../labelled-rows.js';
import { blockRows, NearestLists, scanBlocks } from '../neighbours/row-blocks.js';
import { squaredDistance } from '../neighbours/squared-distance.js';
import { type Random, randomInteger } from '../random.js';

/** A clustering: the cluster of each point, and the centres, row after row. */
export interface Clustering {
  readonly clusters: Int32Array;
  readonly centres: Float64Array;
}

const MOST_ROUNDS = 100;

/** Training stops when a round moves the centres by less than this part of the data's variance, all columns together. */
const TOLERANCE = 1e-4;

/** Lloyd's k-means from the starts of k-means++ (Arthur and Vassilvitskii 2007). Every cluster has a point; `k` is at most their number. */
export function kMeans(points: Float64Array, columns: number, k: number, random: Random): Clustering {
  const count = points.length / columns;
  const centres = chooseCentres(points, columns, k, random);
  const clusters = new Int32Array(count);
  const distances = new Float64Array(count);
  const tolerance = TOLERANCE * meanVariance(points, columns);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const changed = assignPoints(points, columns, centres, clusters, distances);
    fillEmptyClusters(k, clusters, distances);
    const moved = moveCentres(points, columns, k, clusters, centres);
    if ((!changed && round > 0) || moved <= tolerance) break;
  }
  assignPoints(points, columns, centres, clusters, distances);
  fillEmptyClusters(k, clusters, distances);
  moveCentres(points, columns, k, clusters, centres);
  return { clusters, centres };
}

/** Each further centre is a point drawn in proportion to its squared distance from the centres there are. */
export function chooseCentres(points: Float64Array, columns: number, k: number, random: Random): Float64Array {
  const count = points.length / columns;
  const centres = new Float64Array(k * columns);
  const nearest = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  let chosen = randomInteger(random, count);
  for (let centre = 0; centre < k; centre++) {
    centres.set(points.subarray(chosen * columns, (chosen + 1) * columns), centre * columns);
    let total = 0;
    for (let i = 0; i < count; i++) {
      const distance = squaredDistance(points, i * columns, centres, centre * columns, columns, nearest[i] ?? 0);
      if (distance < (nearest[i] ?? 0)) nearest[i] = distance;
      total += nearest[i] ?? 0;
    }
    let rest = random() * total;
    chosen = 0;
    // With all points at centres already, any will do.
    if (total === 0) chosen = randomInteger(random, count);
    else while (chosen < count - 1 && rest >= (nearest[chosen] ?? 0)) rest -= nearest[chosen++] ?? 0;
  }
  return centres;
}

/** Gives every point to its nearest centre, the first of equally near ones, and returns whether one has changed. */
export function assignPoints(
  points: Float64Array,
  columns: number,
  centres: Float64Array,
  clusters: Int32Array,
  distances: Float64Array,
): boolean {
  const k = centres.length / columns;
  const { blocks, starts } = blockRows(centres, columns, allRows(k), [{ from: 0, to: k }]);
  const nearest = new NearestLists(1, 1);
  const point = new Float64Array(columns);
  let changed = false;
  for (let i = 0; i < clusters.length; i++) {
    for (let column = 0; column < columns; column++) point[column] = points[i * columns + column] ?? 0;
    // The cluster of the round before is a good guess: the others need not be measured to the end.
    const before = clusters[i] ?? outside(clusters, i);
    nearest.ids[0] = before;
    nearest.distances[0] = squaredDistance(point, 0, centres, before * columns, columns, Number.POSITIVE_INFINITY);
    scanBlocks(blocks, 0, starts[1] ?? 0, point, nearest, 0, -1, 0);
    const cluster = nearest.ids[0] ?? before;
    distances[i] = nearest.distances[0] ?? 0;
    if (cluster !== before) {
      clusters[i] = cluster;
      changed = true;
    }
  }
  return changed;
}

/** A cluster without points takes the point farthest from its centre, of those whose cluster has others. */
export function fillEmptyClusters(k: number, clusters: Int32Array, distances: Float64Array): void {
  const sizes = new Int32Array(k);
  for (const cluster of clusters) sizes[cluster] = (sizes[cluster] ?? 0) + 1;
  for (let cluster = 0; cluster < k; cluster++) {
    if ((sizes[cluster] ?? 0) > 0) continue;
    let farthest = -1;
    for (let i = 0; i < clusters.length; i++) {
      if ((sizes[clusters[i] ?? 0] ?? 0) < 2) continue;
      if (farthest < 0 || (distances[i] ?? 0) > (distances[farthest] ?? 0)) farthest = i;
    }
    const from = clusters[farthest] ?? outside(clusters, farthest);
    sizes[from] = (sizes[from] ?? 0) - 1;
    sizes[cluster] = 1;
    clusters[farthest] = cluster;
    distances[farthest] = 0;
  }
}

/** Moves the centres to the means of their clusters, and returns the sum of the squared moves. */
function moveCentres(
  points: Float64Array,
  columns: number,
  k: number,
  clusters: Int32Array,
  centres: Float64Array,
): number {
  const sums = new Float64Array(k * columns);
  const sizes = new Int32Array(k);
  for (let i = 0; i < clusters.length; i++) {
    const cluster = clusters[i] ?? 0;
    sizes[cluster] = (sizes[cluster] ?? 0) + 1;
    for (let column = 0; column < columns; column++) {
      const place = cluster * columns + column;
      sums[place] = (sums[place] ?? 0) + (points[i * columns + column] ?? 0);
    }
  }
  let moved = 0;
  for (let place = 0; place < sums.length; place++) {
    const mean = (sums[place] ?? 0) / (sizes[Math.floor(place / columns)] ?? 1);
    moved += (mean - (centres[place] ?? 0)) ** 2;
    centres[place] = mean;
  }
  return moved;
}

/** The mean over the columns of their variances. */
function meanVariance(points: Float64Array, columns: number): number {
  const count = points.length / columns;
  let total = 0;
  for (let column = 0; column < columns; column++) {
    let [sum, squares] = [0, 0];
    for (let i = column; i < points.length; i += columns) sum += points[i] ?? 0;
    for (let i = column; i < points.length; i += columns) squares += ((points[i] ?? 0) - sum / count) ** 2;
    total += squares / count;
  }
  return total / columns;
}
