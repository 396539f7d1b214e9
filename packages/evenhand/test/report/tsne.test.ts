import { seededRandom } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import { affinities } from '../../src/report/tsne/affinities.js';
import { gradient } from '../../src/report/tsne/gradient.js';
import { stratifiedSample } from '../../src/report/tsne/sample.js';
import { tsne } from '../../src/report/tsne/tsne.js';

function randomValues(length: number, name: string, scale = 1): Float64Array {
  const random = seededRandom(1, name);
  return Float64Array.from({ length }, () => scale * (random() - 0.5));
}

/** `KL(P‖Q)`, pair by pair as it is defined. */
function divergence(p: ReturnType<typeof affinities>, embedding: Float64Array): number {
  const points = embedding.length / 2;
  const weight = (i: number, j: number) =>
    1 /
    (1 + [0, 1].reduce((sum, axis) => sum + ((embedding[2 * i + axis] ?? 0) - (embedding[2 * j + axis] ?? 0)) ** 2, 0));
  let total = 0;
  for (let i = 0; i < points; i++) for (let j = 0; j < points; j++) if (i !== j) total += weight(i, j);
  let result = 0;
  for (let i = 0; i < points; i++) {
    for (let k = p.starts[i] ?? 0; k < (p.starts[i + 1] ?? 0); k++) {
      const value = p.values[k] ?? 0;
      if (value > 0) result += value * Math.log(value / (weight(i, p.columns[k] ?? 0) / total));
    }
  }
  return result;
}

describe('affinities', () => {
  it('sum to 1 and are symmetric', () => {
    const points = 40;
    const { starts, columns, values } = affinities(randomValues(points * 3, 'data'), points, 5);
    expect(values.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 10);
    const entry = (i: number, j: number) => {
      const place = columns.subarray(starts[i], starts[i + 1]).indexOf(j);
      return place === -1 ? 0 : values[(starts[i] ?? 0) + place];
    };
    for (let i = 0; i < points; i++) for (let j = 0; j < i; j++) expect(entry(i, j)).toBe(entry(j, i));
  });

  it('prefer near points to far ones', () => {
    // Two pairs on a line: 0 and 1, 10 and 11.
    const { starts, columns, values } = affinities(Float64Array.of(0, 1, 10, 11), 4, 1.1);
    const row = new Map(
      Array.from(columns.subarray(starts[0], starts[1]), (j, k) => [j, values[(starts[0] ?? 0) + k] ?? 0]),
    );
    expect(row.get(1)).toBeGreaterThan(100 * Math.max(row.get(2) ?? 0, row.get(3) ?? 0));
  });
});

describe('the gradient', () => {
  const points = 12;
  const p = affinities(randomValues(points * 4, 'data'), points, 3);
  const embedding = randomValues(2 * points, 'embedding', 3);

  it('with theta 0 is that of the divergence, by central differences', () => {
    const found = gradient(p, embedding, 0);
    const step = 1e-5;
    for (const k of embedding.keys()) {
      const moved = (by: number) =>
        divergence(
          p,
          embedding.map((value, at) => (at === k ? value + by : value)),
        );
      expect(found[k]).toBeCloseTo((moved(step) - moved(-step)) / (2 * step), 7);
    }
  });

  it('with the usual theta is near the exact one', () => {
    const many = 300;
    const affinity = affinities(randomValues(many * 4, 'many'), many, 10);
    const places = randomValues(2 * many, 'places', 30);
    const [exact, coarse] = [gradient(affinity, places, 0), gradient(affinity, places, 0.7)];
    const norm = (values: Float64Array) => Math.hypot(...values);
    expect(norm(coarse.map((value, k) => value - (exact[k] ?? 0))) / norm(exact)).toBeLessThan(0.05);
  });

  it('is finite where points coincide', () => {
    expect(gradient(p, new Float64Array(2 * points), 0.7).every(Number.isFinite)).toBe(true);
  });
});

describe('the embedding', () => {
  const points = 120;
  /** Two clusters that lie far apart, point by point in turn. */
  const data = randomValues(points * 5, 'clusters').map((value, k) => value + (Math.floor(k / 5) % 2) * 20);

  it('keeps well-separated clusters apart: every nearest neighbour is of the own one', () => {
    const embedding = tsne(data, points, 3);
    const squared = (i: number, j: number) =>
      ((embedding[2 * i] ?? 0) - (embedding[2 * j] ?? 0)) ** 2 +
      ((embedding[2 * i + 1] ?? 0) - (embedding[2 * j + 1] ?? 0)) ** 2;
    const nearest = Array.from({ length: points }, (_, i) =>
      Array.from({ length: points }, (_, j) => j)
        .filter((j) => j !== i)
        .reduce((best, j) => (squared(i, j) < squared(i, best) ? j : best)),
    );
    expect(nearest.filter((j, i) => j % 2 !== i % 2)).toEqual([]);
  });

  it('is the same for the same seed, and another for another', () => {
    expect(tsne(data, points, 3)).toEqual(tsne(data, points, 3));
    expect(tsne(data, points, 4)).not.toEqual(tsne(data, points, 3));
  });

  it.each([1, 2, 3, 5])('of %i points, all alike, is finite', (count) => {
    const embedding = tsne(new Float64Array(count * 4).fill(1), count, 0);
    expect(embedding).toHaveLength(2 * count);
    expect(embedding.every(Number.isFinite)).toBe(true);
  });
});

describe('the sample', () => {
  const labels = Int32Array.from({ length: 1000 }, (_, i) => (i < 960 ? 0 : i < 995 ? 1 : 2));

  it('keeps every instance of a rare class, and is no larger than asked', () => {
    const sample = stratifiedSample(labels, 3, 100, 0);
    const counts = [0, 1, 2].map((p) => sample.filter((i) => labels[i] === p).length);
    expect(counts[2]).toBe(5);
    expect(counts[0]).toBeGreaterThan(70);
    expect(sample.length).toBeLessThanOrEqual(100);
    expect(new Set(sample).size).toBe(sample.length);
  });

  it('is decided by the seed', () => {
    expect(stratifiedSample(labels, 3, 100, 1)).toEqual(stratifiedSample(labels, 3, 100, 1));
    expect(stratifiedSample(labels, 3, 100, 2)).not.toEqual(stratifiedSample(labels, 3, 100, 1));
  });

  it('is everything where that is not too much', () => {
    expect(stratifiedSample(labels, 3, 1000, 0)).toEqual(Array.from(labels.keys()));
  });
});
