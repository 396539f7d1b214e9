import { describe, expect, it } from 'vitest';
import {
  adasyn,
  borderlineSmote,
  buildRows,
  clusterCentroids,
  kMeansSmote,
  type Resampled,
  randomOverSampling,
  randomUnderSampling,
  smote,
  smoteN,
  smoteNC,
} from '../src/index.js';
import { type LabelledRows, minorityOf, rowsOfClass } from '../src/labelled-rows.js';
import { neighboursAmong } from '../src/neighbours/nearest-neighbours.js';
import { codeColumn } from '../src/over-sampling/categories.js';
import { mixedSpace } from '../src/over-sampling/smote-nc.js';
import { resolveStrategy } from '../src/strategy.js';
import { digest, drawCategories, drawDataSet, labelled, seededIntegers } from './golden/data-sets.js';
import { type Distribution, golden } from './golden/golden.js';

const DRAWS = 10_000;

/** Two samples of 10,000 draws of the same distribution are farther apart than this once in 1,000 times: 1.95·√(2/10,000). */
const CRITICAL = 0.0276;

/** The data set of the script's `distributions`: three columns of the second one. */
function threeColumns(): LabelledRows {
  const { features, columns, labels } = drawDataSet(2);
  const rows = Array.from(labels, (_, row) => [...features.subarray(row * columns, row * columns + 3)]);
  return labelled(rows, [...labels]);
}

/** The columns of 10,000 synthetic rows of the smallest class. */
function draws(
  data: LabelledRows,
  method: (features: Float64Array, labels: Int32Array, strategy: Record<number, number>) => Resampled,
): Float64Array[] {
  const minority = minorityOf(data.counts);
  const resampled = method(data.features, data.labels, { [minority]: (data.counts[minority] ?? 0) + DRAWS });
  return columnsOf(buildRows(data.features, resampled, data.columns), data.labels.length, data.columns);
}

function columnsOf(matrix: Float64Array, from: number, columns: number): Float64Array[] {
  return Array.from({ length: columns }, (_, column) =>
    matrix.filter((_, i) => i >= from * columns && i % columns === column),
  );
}

/** The largest difference between the two distribution functions, at the points where theirs is stored. */
function distance(ours: Float64Array, at: readonly number[], below: readonly number[]): number {
  const sorted = ours.slice().sort();
  let place = 0;
  return at.reduce((largest, value, i) => {
    // Stored with nine digits.
    while (place < sorted.length && (sorted[place] ?? 0) <= value + 1e-8) place++;
    return Math.max(largest, Math.abs(place / sorted.length - (below[i] ?? 0)));
  }, 0);
}

describe(`10,000 draws are distributed as those of ${golden.madeWith}`, () => {
  const data = threeColumns();
  const mixed = { ...data, features: data.features.map((value, i) => (i % 3 === 0 ? Math.floor(value * 4) : value)) };
  const clusters = data.labels.map((_, row) => row % 3);
  const samples: Record<string, () => Float64Array[]> = {
    smote: () => draws(data, (x, y, strategy) => smote(x, y, { seed: 1, strategy })),
    adasyn: () => draws(data, (x, y, strategy) => adasyn(x, y, { seed: 1, strategy })),
    'borderline 1': () => draws(data, (x, y, strategy) => borderlineSmote(x, y, { seed: 1, strategy })),
    'k-means smote': () =>
      draws(data, (x, y, strategy) => kMeansSmote(x, y, { seed: 1, strategy, clusters, balanceThreshold: 0.01 })),
    random: () => draws(data, (x, y, strategy) => randomOverSampling(x, y, { seed: 1, strategy })),
    'random, shrinkage': () =>
      draws(data, (x, y, strategy) => randomOverSampling(x, y, { seed: 1, strategy, shrinkage: 1.5 })),
    'smote-nc': () =>
      draws(mixed, (x, y, strategy) => smoteNC(x, y, { seed: 1, strategy, categorical: [0], mismatch: 0.5 })),
    'random under-sampling': () => underSampled(data),
  };

  it('has a sample for every distribution', () => {
    expect(Object.keys(samples).sort()).toEqual(Object.keys(golden.distributions).sort());
  });

  it.each(Object.entries(samples))('%s', (name, sample) => {
    const theirs: Distribution | undefined = golden.distributions[name];
    const columns = sample();
    for (const [column, values] of columns.entries()) {
      expect(values.length).toBe(theirs?.draws);
      expect(distance(values, theirs?.at[column] ?? [], theirs?.below[column] ?? [])).toBeLessThan(CRITICAL);
    }
  });
});

/** 10,000 rows of the larger class that are left, from as many seeds as that takes. */
function underSampled({ features, labels, counts, columns }: LabelledRows): Float64Array[] {
  const minority = minorityOf(counts);
  const matrix: number[] = [];
  for (let seed = 0; matrix.length < DRAWS * columns; seed++) {
    for (const row of randomUnderSampling(features, labels, { seed }).rows) {
      if (labels[row] !== minority) matrix.push(...features.subarray(row * columns, (row + 1) * columns));
    }
  }
  return columnsOf(Float64Array.from(matrix.slice(0, DRAWS * columns)), 0, columns);
}

describe('categories', () => {
  it.each(golden.categorical)('SMOTEN and SMOTE-NC on table $seed', (theirs) => {
    const { nominal, mixed, labels } = drawCategories(theirs.seed);
    const minority = labels.flatMap((label, row) => (label === 1 ? [row] : []));
    const features = nominal.flat();
    // The script has SMOTEN draw every row of the class once, in order; here the rows are found by their base.
    const resampled = smoteN(features, labels, { seed: 1, strategy: { 1: 40 * minority.length } });
    const built = buildRows(features, resampled, 4);
    const made = new Map<number, number[]>();
    for (const [i, base] of resampled.synthetic.parents.entries()) {
      made.set(base, built.slice((labels.length + i) * 4, (labels.length + i + 1) * 4));
    }
    expect(digest(minority.flatMap((row) => made.get(row) ?? []))).toBe(theirs.smoten);

    const data = labelled(mixed, labels);
    const coded = [0, 1].map((column) => codeColumn(data.features, data.columns, column));
    const space = mixedSpace(data, Int32Array.of(0, 1), coded, 0.5);
    const rows = rowsOfClass(data.labels, 1);
    expect(digest(neighboursAmong(space, rows, rows, 5).ids)).toBe(theirs['smote-nc neighbours']);
  });
});

describe('strategies', () => {
  it('ask for the same rows, and are refused where imbalanced-learn refuses them', () => {
    for (const { counts, kind, strategy, targets } of golden.strategies) {
      const what = `${JSON.stringify(strategy)} for ${counts.join(', ')} rows, ${kind}`;
      const ours = () =>
        resolveStrategy(strategy, Int32Array.from(counts), kind, 'smote').map(({ label, rows }) => [label, rows]);
      if (targets === null) expect(ours, what).toThrow(/^smote: strategy is .*; expected /);
      else expect(ours(), what).toEqual(targets);
    }
  });
});

it('cluster centroids of clusters far apart are their means', () => {
  const next = seededIntegers(99);
  const rows = Array.from({ length: 60 }, (_, i) => [
    100 * (i % 6) + next(1000) / 1024,
    100 * (i % 3) + next(1000) / 1024,
  ]);
  const features = [...rows, ...Array.from({ length: 6 }, (_, i) => [900 + i, 900])].flat();
  const labels = [...Array<number>(60).fill(0), ...Array<number>(6).fill(1)];
  // k-means may stop at a worse division; scikit-learn keeps the best of ten.
  const results = Array.from({ length: 10 }, (_, seed) => {
    const built = buildRows(features, clusterCentroids(features, labels, { seed }), 2).slice(12);
    return Array.from({ length: 6 }, (_, i) => built.slice(2 * i, 2 * i + 2)).sort(([a = 0], [b = 0]) => a - b);
  });
  const close = results.filter((result) =>
    result.every((centre, i) => centre.every((value, j) => Math.abs(value - (golden.centroids[i]?.[j] ?? 0)) < 1e-9)),
  );
  expect(close.length).toBeGreaterThan(0);
});
