import { describe, expect, it } from 'vitest';
import {
  adasyn,
  borderlineSmote,
  clusterCentroids,
  condensedNearestNeighbour,
  editedNearestNeighbours,
  instanceHardnessThreshold,
  kMeansSmote,
  nearMiss,
  neighbourhoodCleaning,
  randomOverSampling,
  smote,
  smoteEnn,
  smoteNC,
} from '../src/index.js';

/** What a JavaScript caller can pass although TypeScript would not let it through. */
function untyped<Value>(json: string): Value {
  return JSON.parse(json);
}

const labels = [...Array<number>(12).fill(0), ...Array<number>(8).fill(1)];
const features = Array.from({ length: 20 }, (_, i) => (i * 7) % 11);
const seed = 1;

const cases: [string, () => unknown, string][] = [
  ['no labels', () => smote(features, untyped('null'), { seed }), 'smote: labels is null; expected class indices'],
  ['a fractional label', () => smote(features, [0, 0.5], { seed }), 'smote: labels[1] is 0.5; expected a class index'],
  ['a negative label', () => smote(features, [0, -1], { seed }), 'labels[1] is -1'],
  ['a text label', () => smote(features, untyped('[0, "1"]'), { seed }), 'labels[1] is 1; expected a class index'],
  ['a huge label', () => smote(features, BigInt64Array.of(0n, 2n ** 40n), { seed }), 'labels[1] is 1099511627776'],
  ['no features', () => smote(untyped('null'), labels, { seed }), 'smote: features is null; expected Float32Array'],
  [
    'half a row',
    () => smote([1, 2, 3], [0, 1], { seed }),
    'features has length 3; expected a multiple of the 2 labels',
  ],
  [
    'infinity',
    () => smote([1, Number.POSITIVE_INFINITY], [0, 1], { seed }),
    'features[1] (row 1, column 0) is Infinity',
  ],
  [
    'no seed',
    () => smote(features, labels, untyped('{}')),
    'smote: seed is undefined; expected an integer of at least 0',
  ],
  ['a fractional seed', () => clusterCentroids(features, labels, { seed: 0.5 }), 'clusterCentroids: seed is 0.5'],
  [
    'no neighbours',
    () => adasyn(features, labels, { seed, neighbours: 0 }),
    'adasyn: neighbours is 0; expected an integer of at least 1',
  ],
  [
    'too many neighbours',
    () => smote(features, labels, { seed, neighbours: 8 }),
    'smote: class 1 has 8 rows; expected more than neighbours = 8. Ask for fewer neighbours, use random over-sampling',
  ],
  [
    'more neighbours than rows',
    () => editedNearestNeighbours(features, labels, { neighbours: 20 }),
    'editedNearestNeighbours: the data has 20 rows; expected more than neighbours = 20. Ask for fewer neighbours',
  ],
  [
    'an unknown agreement',
    () => editedNearestNeighbours(features, labels, untyped('{ "agreement": "some" }')),
    'agreement is some; expected one of all, mode',
  ],
  [
    'an unknown variant',
    () => borderlineSmote(features, labels, untyped('{ "seed": 1, "variant": 3 }')),
    'variant is 3; expected one of 1, 2',
  ],
  [
    'an unknown version',
    () => nearMiss(features, labels, untyped('{ "version": 4 }')),
    'version is 4; expected one of 1, 2, 3',
  ],
  [
    'too many neighbours for NearMiss',
    () => nearMiss(features, labels, { neighbours: 9 }),
    'expected at most the 8 rows of the smallest class',
  ],
  [
    'a negative shrinkage',
    () => randomOverSampling(features, labels, { seed, shrinkage: -1 }),
    'shrinkage of class 1 is -1',
  ],
  [
    'no shrinkage for a class',
    () => randomOverSampling(features, labels, { seed, shrinkage: { 0: 1 } }),
    'shrinkage of class 1 is undefined',
  ],
  [
    'only categories',
    () => smoteNC(features, labels, { seed, categorical: [0] }),
    'all 1 columns are categorical; expected others as well. Use smoteN',
  ],
  [
    'no categories',
    () => smoteNC(features, labels, { seed, categorical: [] }),
    'expected a list of at least one column number. Use smote',
  ],
  [
    'an unknown column',
    () => smoteNC(features, labels, { seed, categorical: [3] }),
    'categorical has 3; expected column numbers from 0 to 0',
  ],
  [
    'a wrong threshold',
    () => neighbourhoodCleaning(features, labels, { threshold: 1 }),
    'threshold is 1; expected a number between 0 and 1',
  ],
  [
    'too few clusters',
    () => kMeansSmote(features, labels, { seed, clusters: Int32Array.of(0) }),
    'clusters has 1 entries; expected 20 integers',
  ],
  [
    'no home for a class',
    () => kMeansSmote(features, labels, { seed, clusters: 20 }),
    'expected at least one. Ask for more clusters, a smaller balanceThreshold or fewer neighbours, or use smote',
  ],
  [
    'classes that do not touch',
    () => adasyn([...Array(12).keys(), ...Array.from({ length: 8 }, (_, i) => 1000 + i)], labels, { seed }),
    'adasyn: no row of class 1 would get a new one',
  ],
  [
    'too few columns of probabilities',
    () =>
      instanceHardnessThreshold(
        features.map(() => 0.5),
        labels,
      ),
    'probabilities has 1 columns; expected one for each of the 2 classes',
  ],
  [
    'a probability above 1',
    () => instanceHardnessThreshold([0.5, 0.5, 2, 0], [0, 1]),
    'probabilities[2] (row 1, class 0) is 2; expected a number from 0 to 1',
  ],
  [
    'more voters than rows',
    () => condensedNearestNeighbour(features, labels, { seed, neighbours: 9 }),
    'expected at most the 8 rows',
  ],
  [
    'no editing neighbours',
    () => smoteEnn(features, labels, { seed, editingNeighbours: 0 }),
    'smoteEnn: editingNeighbours is 0',
  ],
];

describe('bad input', () => {
  it.each(cases)('%s', (_, call, message) => {
    expect(call).toThrow(message);
  });
});
