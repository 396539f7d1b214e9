import { expect, it } from 'vitest';
import { kMeans } from '../src/clustering/k-means.js';
import { miniBatchKMeans } from '../src/clustering/mini-batch-k-means.js';
import { randomNormal, seededRandom } from '../src/random.js';

/** The sum of the squared distances of the points from the means of their clusters. */
function scatter(points: Float64Array, columns: number, clusters: Int32Array, k: number): number {
  const sums = new Float64Array(k * columns);
  const sizes = new Float64Array(k);
  let squares = 0;
  points.forEach((value, i) => {
    const cluster = clusters[Math.floor(i / columns)] ?? 0;
    const place = cluster * columns + (i % columns);
    sums[place] = (sums[place] ?? 0) + value;
    if (i % columns === 0) sizes[cluster] = (sizes[cluster] ?? 0) + 1;
    squares += value * value;
  });
  return sums.reduce((rest, sum, place) => rest - sum ** 2 / (sizes[Math.floor(place / columns)] ?? 1), squares);
}

it('is nearly as good as going over all points, where there is nothing to find', () => {
  const [columns, k] = [5, 8];
  const random = seededRandom(5);
  const points = Float64Array.from({ length: 6000 * columns }, () => randomNormal(random));
  const batches = scatter(points, columns, miniBatchKMeans(points, columns, k, seededRandom(1)), k);
  const all = scatter(points, columns, kMeans(points, columns, k, seededRandom(1)).clusters, k);
  expect(batches).toBeLessThan(1.05 * all);
});

it('finds clusters that lie far apart, in data that is sorted by them', () => {
  const random = seededRandom(6);
  const points = Float64Array.from({ length: 2 * 8000 }, (_, i) => 100 * Math.floor(i / 8000) + randomNormal(random));
  const clusters = miniBatchKMeans(points, 2, 2, seededRandom(2));
  expect(new Set(clusters.subarray(0, 4000)).size).toBe(1);
  expect(new Set(clusters.subarray(4000)).size).toBe(1);
  expect(clusters[0]).not.toBe(clusters[7999]);
});

it('has a point in every cluster, even if there are fewer different points', () => {
  const points = Float64Array.from({ length: 5000 }, (_, i) => i % 3);
  expect(new Set(miniBatchKMeans(points, 1, 6, seededRandom(3))).size).toBe(6);
});
