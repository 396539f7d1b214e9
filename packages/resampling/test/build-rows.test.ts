import { describe, expect, it } from 'vitest';
import {
  buildCategories,
  buildRows,
  clusterCentroids,
  editedNearestNeighbours,
  type Resampled,
  randomOverSampling,
  smote,
  smoteEnn,
  smoteNC,
  smoteTomek,
  tomekLinks,
} from '../src/index.js';
import { drawDataSet } from './golden/data-sets.js';

const parts = { categorical: new Int32Array(), donors: new Int32Array(), noise: new Float64Array() };

describe('rows are built', () => {
  it('from rows taken and from parents by their weights', () => {
    const result: Resampled = {
      rows: Int32Array.of(2, 0),
      labels: Int32Array.of(0, 0, 1, 1),
      synthetic: {
        ...parts,
        offsets: Int32Array.of(0, 2, 5),
        parents: Int32Array.of(0, 1, 0, 1, 2),
        weights: Float64Array.of(0.75, 0.25, 0.5, 0.25, 0.25),
      },
    };
    // 0·¾ + 4·¼ = 1 and 10·¾ + 20·¼ = 12½; 0·½ + 4·¼ + 8·¼ = 3 and 10·½ + 20·¼ + 40·¼ = 20
    expect(buildRows([0, 10, 4, 20, 8, 40], result, 2)).toEqual([8, 40, 0, 10, 1, 12.5, 3, 20]);
    expect(buildRows(Float32Array.of(0, 4, 8), result, 1)).toEqual(Float32Array.of(8, 0, 1, 3));
    expect(buildCategories(['a', 'b', null], result)).toEqual([null, 'a', 'a', 'a']);
  });

  it('with noise and donors where there are any', () => {
    const result: Resampled = {
      rows: Int32Array.of(),
      labels: Int32Array.of(0),
      synthetic: {
        offsets: Int32Array.of(0, 1),
        parents: Int32Array.of(0),
        weights: Float64Array.of(1),
        categorical: Int32Array.of(1),
        donors: Int32Array.of(1),
        noise: Float64Array.of(0.5, 0),
      },
    };
    expect(buildRows([1, 2, 3, 4], result, 2)).toEqual([1.5, 4]);
    expect(buildCategories(['x', 'y'], result, 0)).toEqual(['y']);
  });

  it('so that a mean of all rows of a cluster is its centroid', () => {
    const features = [0, 1, 2, 10, 11, 12, 50, 60];
    const labels = [0, 0, 0, 0, 0, 0, 1, 1];
    const built = buildRows(features, clusterCentroids(features, labels, { seed: 2 }), 1);
    expect(built.sort((a, b) => a - b)).toEqual([1, 11, 50, 60]);
  });

  it.each([
    [
      () => buildRows([1, 2, 3], smote([1, 2, 3, 4], [0, 0, 0, 1], { seed: 1, strategy: { 0: 4 }, neighbours: 1 }), 2),
      /length 3/,
    ],
    [
      () => buildCategories(['a'], randomOverSampling([1, 2, 3], [0, 0, 1], { seed: 1 })),
      /1 entries and none for row 1/,
    ],
    [
      () =>
        buildCategories(
          ['a'],
          smoteNC([1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 1], {
            seed: 1,
            categorical: [0],
            strategy: { 0: 4 },
            neighbours: 1,
          }),
          1,
        ),
      /n is 1; expected which of the 1 categorical columns/,
    ],
  ])('or refused, %#', (call, message) => {
    expect(call).toThrow(message);
  });
});

describe.each([1, 2, 3, 4, 5, 6])(
  'on data set %i SMOTE with cleaning is SMOTE, then cleaning of all classes:',
  (seed) => {
    const { features, labels, columns } = drawDataSet(seed);
    const filled = smote(features, labels, { seed: 9 });
    const all = buildRows(features, filled, columns);
    it.each([
      ['Tomek links', smoteTomek, tomekLinks],
      ['ENN', smoteEnn, editedNearestNeighbours],
    ])('%s', (_, combined, cleaning) => {
      const ours = combined(features, labels, { seed: 9 });
      const { rows } = cleaning(all, filled.labels, { strategy: 'all' });
      expect(ours.labels).toEqual(rows.map((row) => filled.labels[row] ?? -1));
      expect(buildRows(features, ours, columns)).toEqual(
        buildRows(
          all,
          {
            ...ours,
            rows,
            synthetic: { ...parts, offsets: Int32Array.of(0), parents: Int32Array.of(), weights: Float64Array.of() },
          },
          columns,
        ),
      );
    });
  },
);
