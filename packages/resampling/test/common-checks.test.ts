import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRows, type Resampled } from '../src/index.js';
import { type Method, methods } from './registry.js';

/*
 * imbalanced-learn's common checks of all samplers, as properties: shapes, kinds of arrays, strategies, inputs as they were, seeds, no class
 * lost, and the corner cases.
 */

interface Data {
  readonly features: Float64Array;
  readonly columns: number;
  readonly labels: Int32Array;
  readonly counts: readonly number[];
}

/** Data of 2 to 4 classes of 8 to 30 rows, with equal rows or without. */
const dataSets: fc.Arbitrary<Data> = fc
  .record({
    columns: fc.integer({ min: 2, max: 5 }),
    counts: fc.array(fc.integer({ min: 8, max: 30 }), { minLength: 2, maxLength: 4 }),
    grid: fc.boolean(),
    seed: fc.nat(),
  })
  .map(({ columns, counts, grid, seed }) => {
    let state = seed;
    const next = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state >>> 8) / 2 ** 24;
    };
    const labels = Int32Array.from(counts.flatMap((count, label) => Array<number>(count).fill(label)));
    for (let i = labels.length - 1; i > 0; i--) {
      const j = Math.floor(next() * (i + 1));
      [labels[i], labels[j]] = [labels[j] ?? 0, labels[i] ?? 0];
    }
    const features = new Float64Array(labels.length * columns).map((_, i) =>
      grid ? Math.floor(next() * 4) : next() + 0.3 * (labels[Math.floor(i / columns)] ?? 0),
    );
    return { features, columns, labels, counts };
  });

/** Of an error that says that the method does not suit the data, which is a fair answer; others are faults. */
function unsuited(error: unknown): boolean {
  return error instanceof RangeError && /^(adasyn: no row of class|kMeansSmote: no cluster has)/.test(error.message);
}

/** The result, or undefined if the method rightly refuses the data. */
function attempt({ run }: Method, data: Data, options: Parameters<Method['run']>[2]): Resampled | undefined {
  try {
    return run(data.features, data.labels, options);
  } catch (error) {
    if (unsuited(error)) return undefined;
    throw error;
  }
}

function check(method: Method, property: (data: Data, result: Resampled) => void): void {
  fc.assert(
    fc.property(dataSets, (data) => {
      const result = attempt(method, data, { seed: 5 });
      if (result !== undefined) property(data, result);
    }),
    { numRuns: 15 },
  );
}

function countsOf(labels: Int32Array): number[] {
  const counts: number[] = [];
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
  return Array.from(counts, (count) => count ?? 0);
}

describe.each(methods)('$name', (method) => {
  it('returns rows of the data, and synthetic rows with parents of their class and weights that sum to 1', () => {
    check(method, ({ labels, features, columns }, { rows, synthetic, labels: resulting }) => {
      const { offsets, parents, weights } = synthetic;
      expect(resulting.length).toBe(rows.length + offsets.length - 1);
      expect(rows.every((row) => row >= 0 && row < labels.length)).toBe(true);
      expect([...resulting.slice(0, rows.length)]).toEqual(Array.from(rows, (row) => labels[row]));
      expect(offsets[offsets.length - 1]).toBe(parents.length);
      for (let i = 0; i + 1 < offsets.length; i++) {
        const own = parents.slice(offsets[i], offsets[i + 1]);
        const label = resulting[rows.length + i];
        expect(labels[own[0] ?? -1]).toBe(label);
        if (method.name !== 'borderlineSmote 2') expect(own.every((row) => labels[row] === label)).toBe(true);
        const shares = weights.slice(offsets[i], offsets[i + 1]);
        expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      }
      const built = buildRows(features, { rows, synthetic, labels: resulting }, columns);
      expect(built.length).toBe(resulting.length * columns);
      expect(built.every(Number.isFinite)).toBe(true);
    });
  });

  it('leaves the data as they were', () => {
    fc.assert(
      fc.property(dataSets, (data) => {
        const [features, labels] = [data.features.slice(), data.labels.slice()];
        const result = attempt(method, data, { seed: 5 });
        if (result !== undefined) buildRows(data.features, result, data.columns);
        expect([data.features, data.labels]).toEqual([features, labels]);
      }),
      { numRuns: 10 },
    );
  });

  it('takes any kind of array, and gives features back in the kind they came in', () => {
    const [data] = fc.sample(dataSets, { numRuns: 1, seed: 4 });
    if (data === undefined) throw new Error('fast-check has drawn nothing');
    const single = Float32Array.from(data.features);
    const expected = method.run(Float64Array.from(single), data.labels, { seed: 5 });
    const kinds = [single, Float64Array.from(single), Array.from(single)];
    for (const features of kinds) {
      for (const labels of [
        data.labels,
        Array.from(data.labels),
        BigInt64Array.from(Array.from(data.labels, BigInt)),
      ]) {
        const result = method.run(features, labels, { seed: 5 });
        expect(result).toEqual(expected);
        expect(buildRows(features, result, data.columns).constructor).toBe(features.constructor);
      }
    }
  });

  it('repeats itself with the same seed, and with another seed only if nothing is random', () => {
    let different = false;
    fc.assert(
      fc.property(dataSets, (data) => {
        const first = attempt(method, data, { seed: 5 });
        expect(attempt(method, data, { seed: 5 })).toEqual(first);
        const other = attempt(method, data, { seed: 6 });
        if (method.deterministic) expect(other).toEqual(first);
        different ||= JSON.stringify(other) !== JSON.stringify(first);
      }),
      { numRuns: 10 },
    );
    expect(different).toBe(method.deterministic !== true);
  });

  it('loses no class', () => {
    check(method, ({ counts }, { labels }) => {
      expect(new Set(labels).size).toBe(counts.length);
    });
  });

  it('does what its kind does to the numbers of rows', () => {
    check(method, ({ counts, labels }, result) => {
      const after = countsOf(result.labels);
      const [smallest, largest] = [Math.min(...counts), Math.max(...counts)];
      if (method.kind === 'over-sampling') {
        expect([...result.rows.slice(0, labels.length)]).toEqual([...labels.keys()]);
        if (method.exact) expect(after).toEqual(counts.map(() => largest));
      } else if (method.kind === 'under-sampling') {
        if (method.exact) expect(after).toEqual(counts.map(() => smallest));
        expect(after.every((count, label) => count <= (counts[label] ?? 0))).toBe(true);
      } else if (method.kind === 'cleaning') {
        // What cleans in rounds asks anew in each which class is the smallest, as imbalanced-learn does: it may be another one.
        const inRounds = /^(allK|repeatedEdited)NearestNeighbours$/.test(method.name);
        if (!inRounds) expect(after[counts.indexOf(smallest)]).toBe(smallest);
        expect(after.every((count, label) => count <= (counts[label] ?? 0))).toBe(true);
        expect(new Set(result.rows).size).toBe(result.rows.length);
      }
    });
  });

  it('leaves a class alone that the strategy does not name', () => {
    fc.assert(
      fc.property(dataSets, (data) => {
        const [named, ...others] = data.counts.keys();
        if (named === undefined) return;
        const wish = { 'over-sampling': 40, combined: 40, 'under-sampling': 5, cleaning: 0 }[method.kind];
        const result = attempt(method, data, {
          seed: 5,
          strategy: method.kind === 'cleaning' ? [named] : { [named]: wish },
        });
        if (result === undefined || method.kind === 'combined') return;
        const after = countsOf(result.labels);
        expect(others.map((label) => after[label])).toEqual(others.map((label) => data.counts[label]));
        if (method.exact) expect(after[named]).toBe(wish);
      }),
      { numRuns: 10 },
    );
  });

  it('refuses one class, and numbers that have no distances', () => {
    expect(() => method.run([1, 2, 3, 4], [0, 0, 0, 0], { seed: 1 })).toThrow(
      /labels has one class; expected at least two/,
    );
    const labels = [...Array<number>(10).fill(0), ...Array<number>(12).fill(1)];
    const features = Array.from({ length: 44 }, (_, i) => (i === 7 ? Number.NaN : (i * 7) % 13));
    const call = () => method.run(features, labels, { seed: 1 });
    if (method.anyNumbers) expect(call).not.toThrow();
    else
      expect(call).toThrow(
        method.name === 'instanceHardnessThreshold' ? /is NaN; expected/ : /\(row 3, column 1\) is NaN; expected/,
      );
  });

  it('says what to do about a class with too few rows, or does without', () => {
    for (const few of [1, 5, 6]) {
      const labels = [...Array<number>(30).fill(0), ...Array<number>(few).fill(1)];
      const features = Array.from({ length: labels.length * 2 }, (_, i) => ((i * 7919) % 101) / 10);
      const call = () => method.run(features, labels, { seed: 1 });
      const enough = method.leastRows ?? 1;
      if (few < enough && !method.name.startsWith('borderline') && !method.name.startsWith('kMeans')) {
        expect(call).toThrow(
          /(has \d rows?; expected more than neighbours|expected at most the \d rows of the smallest class)/,
        );
        continue;
      }
      try {
        expect(new Set(call().labels)).toEqual(new Set([0, 1]));
      } catch (error) {
        expect(error).toSatisfy((one: unknown) => unsuited(one) || (one instanceof RangeError && few < enough));
      }
    }
  });

  it('fills up, or cuts down to, a class of one row, of a few, and one apart from all others, if it is lenient', () => {
    for (const few of [1, 2, 5]) {
      const labels = [...Array<number>(30).fill(0), ...Array<number>(few).fill(1), ...Array<number>(9).fill(2)];
      const features = labels.flatMap((label, i) => [(label === 2 ? 1000 : 0) + ((i * 7919) % 101), (i * 31) % 17]);
      const result = method.run(features, labels, { seed: 1, lenient: true });
      const after = countsOf(result.labels);
      if (method.exact) expect(after).toEqual(method.kind === 'over-sampling' ? [30, 30, 30] : [few, few, few]);
      expect(after.every((count) => count > 0)).toBe(true);
      // ADASYN rounds row by row.
      if (/adasyn|kMeans/.test(method.name) && method.kind !== 'cleaning') {
        expect(Math.min(...after)).toBeGreaterThanOrEqual(25);
      }
      const built = buildRows(features, result, 2);
      if (
        few === 1 &&
        method.kind === 'over-sampling' &&
        method.name !== 'borderlineSmote 2' &&
        !/shrinkage/.test(method.name)
      ) {
        const only = features.slice(60, 62);
        result.labels.forEach((label, i) => {
          if (label === 1) for (const [j, value] of only.entries()) expect(built[2 * i + j]).toBeCloseTo(value, 9);
        });
      }
    }
  });

  it('has an answer where all rows are equal', () => {
    const labels = [...Array<number>(20).fill(0), ...Array<number>(9).fill(1), ...Array<number>(12).fill(2)];
    const features = Array<number>(labels.length * 2).fill(3.3);
    const result = method.run(features, labels, { seed: 1 });
    expect(new Set(result.labels)).toEqual(new Set([0, 1, 2]));
    expect(new Set(buildRows(features, result, 2))).toEqual(new Set([3.3]));
  });
});
