import { outside } from '../checked-access.js';
import type { Random } from '../random.js';
import { assignPoints, chooseCentres, fillEmptyClusters, kMeans } from './k-means.js';

/** Points of a batch. */
const BATCH = 1024;

/** Batches to choose the first centres from, and up to which plain k-means is fast enough. */
const START_BATCHES = 3;

/** Training stops after so many batches in which the smoothed distance from the centres has not become smaller. */
const PATIENCE = 5;

/** The most times that training goes over as many points as there are. */
const MOST_EPOCHS = 100;

/**
 * Mini-batch k-means (Sculley 2010), as imbalanced-learn clusters for k-means SMOTE: every batch of random points moves the centres towards
 * the means of its points, less and less. With few points this is Lloyd's k-means.
 *
 * @returns the cluster of each point; every cluster has one
 */
export function miniBatchKMeans(points: Float64Array, columns: number, k: number, random: Random): Int32Array {
  const count = points.length / columns;
  if (count <= START_BATCHES * BATCH || k > BATCH) return kMeans(points, columns, k, random).clusters;
  const start = drawPoints(points, columns, new Float64Array(START_BATCHES * BATCH * columns), random);
  const centres = chooseCentres(start, columns, k, random);
  const batch = new Float64Array(BATCH * columns);
  const batchClusters = new Int32Array(BATCH);
  const batchDistances = new Float64Array(BATCH);
  const sizes = new Float64Array(k);
  const smoothing = Math.min(1, (2 * BATCH) / (count + 1));
  let smoothed = Number.POSITIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  let worse = 0;
  for (let seen = 0; seen < MOST_EPOCHS * count && worse < PATIENCE; seen += BATCH) {
    drawPoints(points, columns, batch, random);
    assignPoints(batch, columns, centres, batchClusters, batchDistances);
    moveTowards(batch, columns, batchClusters, sizes, centres);
    const mean = batchDistances.reduce((sum, distance) => sum + distance, 0) / BATCH;
    smoothed = smoothed === Number.POSITIVE_INFINITY ? mean : smoothed + smoothing * (mean - smoothed);
    worse = smoothed < least ? 0 : worse + 1;
    least = Math.min(least, smoothed);
  }
  const clusters = new Int32Array(count);
  const distances = new Float64Array(count);
  assignPoints(points, columns, centres, clusters, distances);
  fillEmptyClusters(k, clusters, distances);
  return clusters;
}

/** Draws as many points as there is room for, one from each of equally long stretches of the data: memory is read in one direction. */
function drawPoints(points: Float64Array, columns: number, into: Float64Array, random: Random): Float64Array {
  const count = points.length / columns;
  const stretch = (count * columns) / into.length;
  for (let place = 0, i = 0; place < into.length; i++) {
    const point = Math.min(count - 1, Math.floor((i + random()) * stretch));
    const end = place + columns;
    for (let from = point * columns; place < end; from++, place++) into[place] = points[from] ?? 0;
  }
  return into;
}

/** Keeps every centre the mean of all points that it has been given so far: `c ← c + (x − c)/n` for each of them. */
function moveTowards(
  batch: Float64Array,
  columns: number,
  clusters: Int32Array,
  sizes: Float64Array,
  centres: Float64Array,
): void {
  for (let i = 0; i < clusters.length; i++) {
    const cluster = clusters[i] ?? outside(clusters, i);
    const size = (sizes[cluster] ?? 0) + 1;
    sizes[cluster] = size;
    for (let column = 0; column < columns; column++) {
      const place = cluster * columns + column;
      const centre = centres[place] ?? 0;
      centres[place] = centre + ((batch[i * columns + column] ?? 0) - centre) / size;
    }
  }
}
