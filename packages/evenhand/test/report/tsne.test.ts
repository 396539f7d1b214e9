import { seededRandom } from '@evenhand/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { affinities } from '../../src/report/tsne/affinities.js';
import { Gradient } from '../../src/report/tsne/gradient.js';
import { logProbabilities } from '../../src/report/tsne/log-probabilities.js';
import { nearestNeighbours } from '../../src/report/tsne/nearest-neighbours.js';
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
      // A pair stands once, and counts twice.
      if (value > 0) result += 2 * value * Math.log(value / (weight(i, p.columns[k] ?? 0) / total));
    }
  }
  return result;
}

describe('nearest neighbours', () => {
  /** Of every other point, by definition. */
  function allDistances(data: Float64Array, points: number, i: number): number[] {
    const dimensions = data.length / points;
    const row = (p: number) => data.subarray(p * dimensions, (p + 1) * dimensions);
    return Array.from({ length: points }, (_, j) => row(i).reduce((sum, x, d) => sum + (x - (row(j)[d] ?? 0)) ** 2, 0));
  }

  it('are those of a search among all points, for any data: ties, clusters and copies included', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 4, maxLength: 4 }), {
          minLength: 2,
          maxLength: 90,
        }),
        (dimensions, rows) => {
          const data = Float64Array.from(rows.flatMap((row) => row.slice(0, dimensions)));
          const count = Math.min(7, rows.length - 1);
          const { indices, distances } = nearestNeighbours(data, rows.length, count);
          for (const i of rows.keys()) {
            const all = allDistances(data, rows.length, i);
            const own = Array.from(indices.subarray(i * count, (i + 1) * count));
            const expected = all.filter((_, j) => j !== i).sort((a, b) => a - b);
            expect(Array.from(distances.subarray(i * count, (i + 1) * count))).toEqual(expected.slice(0, count));
            expect(own.map((j) => all[j])).toEqual(expected.slice(0, count));
            expect(new Set(own).size).toBe(count);
            expect(own).not.toContain(i);
          }
        },
      ),
    );
  });

  it('are exact in many dimensions too', () => {
    const [points, count] = [400, 20];
    const data = randomValues(points * 30, 'many dimensions');
    const { distances } = nearestNeighbours(data, points, count);
    for (let i = 0; i < points; i += 37) {
      const expected = allDistances(data, points, i)
        .filter((_, j) => j !== i)
        .sort((a, b) => a - b);
      for (let k = 0; k < count; k++) expect(distances[i * count + k]).toBeCloseTo(expected[k] ?? Number.NaN, 12);
    }
  });
});

describe('affinities', () => {
  const points = 40;
  const perplexity = 5;
  const data = randomValues(points * 3, 'data');
  const { starts, columns, values } = affinities(data, points, perplexity);

  it('hold each pair once, and sum to 1 over both directions', () => {
    const pairs = Array.from({ length: points }, (_, i) =>
      Array.from(columns.subarray(starts[i], starts[i + 1]), (j) => [i, j] as const),
    ).flat();
    expect(pairs.filter(([i, j]) => j <= i)).toEqual([]);
    expect(new Set(pairs.map(String)).size).toBe(pairs.length);
    expect(2 * values.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 10);
  });

  it('join p(j|i) and p(i|j), each with the perplexity as its effective number of neighbours', () => {
    const dimensions = 3;
    const conditional = Array.from({ length: points }, (_, i) => {
      const all = Array.from({ length: points }, (_, j) =>
        [0, 1, 2].reduce((sum, d) => sum + ((data[i * dimensions + d] ?? 0) - (data[j * dimensions + d] ?? 0)) ** 2, 0),
      );
      const near = Array.from(all.keys())
        .filter((j) => j !== i)
        .sort((a, b) => (all[a] ?? 0) - (all[b] ?? 0))
        .slice(0, 3 * perplexity);
      const at = (beta: number) => {
        const weights = near.map((j) => Math.exp(-beta * (all[j] ?? 0)));
        const sum = weights.reduce((a, b) => a + b, 0);
        return weights.map((weight) => weight / sum);
      };
      const entropy = (shares: number[]) => -shares.reduce((sum, share) => sum + share * Math.log(share), 0);
      let [low, high] = [0, 1e4];
      for (let step = 0; step < 200; step++) {
        const middle = (low + high) / 2;
        if (entropy(at(middle)) > Math.log(perplexity)) low = middle;
        else high = middle;
      }
      const shares = at(low);
      return new Map(near.map((j, k) => [j, shares[k] ?? 0]));
    });
    for (let i = 0; i < points; i++) {
      for (let j = i + 1; j < points; j++) {
        const place = columns.subarray(starts[i], starts[i + 1]).indexOf(j);
        const found = place === -1 ? 0 : (values[(starts[i] ?? 0) + place] ?? 0);
        const expected = ((conditional[i]?.get(j) ?? 0) + (conditional[j]?.get(i) ?? 0)) / (2 * points);
        expect(found).toBeCloseTo(expected, 6);
      }
    }
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
    const found = new Gradient(p).at(embedding, 0);
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
    const [exact, coarse] = [new Gradient(affinity).at(places, 0), new Gradient(affinity).at(places, 0.7)];
    const norm = (values: Float64Array) => Math.hypot(...values);
    expect(norm(coarse.map((value, k) => value - (exact[k] ?? 0))) / norm(exact)).toBeLessThan(0.05);
  });

  it('is finite where points coincide', () => {
    expect(new Gradient(p).at(new Float64Array(2 * points), 0.7).every(Number.isFinite)).toBe(true);
  });

  it('comes to an end where thousands of points lie on one another', () => {
    const many = 20_000;
    const any = new Gradient(affinities(randomValues(many, 'line'), many, 5));
    const piles = Float64Array.from({ length: 2 * many }, (_, k) => 50 * (Math.floor(k / 2) % 3));
    // Pair by pair these would be 10¹⁰ forces, longer than a test may take.
    for (let i = 0; i < 30; i++) expect(any.at(piles, 0.7).every(Number.isFinite)).toBe(true);
  });

  it('does not depend on what was asked before', () => {
    const used = new Gradient(p);
    used.at(randomValues(2 * points, 'elsewhere', 100), 0.7);
    const again = used.at(embedding, 0);
    for (const [k, expected] of new Gradient(p).at(embedding, 0).entries()) expect(again[k]).toBeCloseTo(expected, 12);
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

  it('is finite where more points coincide than the perplexity, wherever they stand', () => {
    const copies = new Float64Array(2 * 300);
    copies.set(randomValues(2 * 200, 'others'), 2 * 100);
    const twenty = Float64Array.from({ length: 2 * 1000 }, (_, i) => Math.floor(i / 2) % 20);
    for (const data of [copies, twenty]) {
      const points = data.length / 2;
      expect(affinities(data, points, 30).values.every(Number.isFinite)).toBe(true);
    }
  });

  it('faults 6 and 7: is the same for the same seed, and another for another', () => {
    expect(tsne(data, points, 3)).toEqual(tsne(data, points, 3));
    expect(tsne(data, points, 4)).not.toEqual(tsne(data, points, 3));
  });

  it.each([1, 2, 3, 5])('of %i points, all alike, is finite', (count) => {
    const embedding = tsne(new Float64Array(count * 4).fill(1), count, 0);
    expect(embedding).toHaveLength(2 * count);
    expect(embedding.every(Number.isFinite)).toBe(true);
  });
});

it('a thread gives the points that are computed here, and says how far it is', async () => {
  const points = 600; // fewer get no thread
  const data = randomValues(points * 3, 'thread');
  // A worker runs no TypeScript: the built module.
  const built: typeof import('../../src/report/tsne/tsne-thread.js') = await import(
    new URL('../../dist/report/tsne/tsne-thread.js', import.meta.url).href
  );
  const steps: number[] = [];
  const embedding = await built.tsneInThread({ data, points, seed: 5 }, (done, total) => steps.push(done / total));
  expect(embedding).toEqual(tsne(data, points, 5));
  expect(steps.length).toBeGreaterThan(100);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(steps.at(-1)).toBe(1);
});

describe('log-probabilities', () => {
  it('are those of the instances that are asked for', () => {
    const found = logProbabilities(Float64Array.of(0.5, 0.5, 0.25, 0.75, 1, 0), [2, 1], 2);
    expect(found[0]).toBeCloseTo(0, 6);
    expect(found[1]).toBeCloseTo(Math.log(1e-8), 6);
    expect(found[2]).toBeCloseTo(Math.log(0.25), 6);
  });

  it('of a network that is very sure are near one another, and still different', () => {
    const [a = 0, b = 0] = logProbabilities(Float64Array.of(1e-12, 1e-16), [0, 1], 1);
    expect(a).toBeGreaterThan(b);
    expect(a - b).toBeLessThan(1e-3);
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

  it('fault 54: is as large as asked where there are more classes than points', () => {
    const many = Int32Array.from({ length: 3000 }, (_, i) => i % 2000);
    const sample = stratifiedSample(many, 2000, 600, 0);
    expect(new Set(sample).size).toBe(600);
    expect(sample).toEqual([...sample].sort((a, b) => a - b));
  });

  it('is decided by the seed', () => {
    expect(stratifiedSample(labels, 3, 100, 1)).toEqual(stratifiedSample(labels, 3, 100, 1));
    expect(stratifiedSample(labels, 3, 100, 2)).not.toEqual(stratifiedSample(labels, 3, 100, 1));
  });

  it('is everything where that is not too much', () => {
    expect(stratifiedSample(labels, 3, 1000, 0)).toEqual(Array.from(labels.keys()));
  });
});
