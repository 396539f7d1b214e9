import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ImbalanceProfile, keptCounts } from '../../../src/splits/imbalance/imbalance-profile.js';
import { legacySelection } from '../../../src/splits/imbalance/legacy-selection.js';
import { splitDataset } from '../../../src/splits/split-dataset.js';
import { UserError } from '../../../src/user-error.js';
import { counts, labelsOf, partsOf, table } from '../datasets.js';

describe('the counts that a profile keeps', () => {
  it.each<[ImbalanceProfile, number[], number[]]>([
    [{ kind: 'mnist-even' }, [101, 101, 100, 100], [11, 101, 10, 100]],
    [{ kind: 'mnist-long-tail' }, [100, 101, 101, 101], [100, 51, 26, 13]],
    // 100^(1/2) = 10.
    [{ kind: 'exponential', factor: 100 }, [1000, 1000, 1000], [1000, 100, 10]],
    [{ kind: 'exponential', factor: 1 }, [70, 60, 50], [70, 60, 50]],
    [{ kind: 'step', factor: 10, minorityShare: 0.5 }, [100, 100, 109, 100], [100, 100, 10, 10]],
    [{ kind: 'step', factor: 10, minorityShare: 0.01 }, [100, 100, 100], [100, 100, 10]],
    [{ kind: 'step', factor: 10, minorityShare: 0.99 }, [100, 100, 100], [100, 10, 10]],
  ])('%o of %j: %j', (profile, sizes, kept) => {
    expect(keptCounts(profile, sizes)).toEqual(kept);
  });
});

describe('a split with a profile', () => {
  const sizes = [200, 180, 160];
  const dataset = table(labelsOf(sizes));
  const profiles: ImbalanceProfile[] = [
    { kind: 'mnist-even' },
    { kind: 'mnist-long-tail' },
    { kind: 'exponential', factor: 10 },
    { kind: 'step', factor: 5, minorityShare: 0.4 },
  ];

  it('keeps the counts of the profile beside the test set, validation among them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...profiles), fc.integer(), (imbalance, seed) => {
        const { training, validation } = splitDataset(dataset, { seed, imbalance });
        const kept = keptCounts(imbalance, [160, 144, 128]);
        expect(counts(dataset, validation)).toEqual([5, 5, 5]);
        expect(counts(dataset, training)).toEqual(kept.map((count) => count - 5));
      }),
      { numRuns: 30 },
    );
  });

  it('leaves the test set as it is without', () => {
    for (const imbalance of profiles) {
      expect(splitDataset(dataset, { seed: 5, imbalance }).test).toEqual(splitDataset(dataset, { seed: 5 }).test);
    }
  });

  it('has no instance in two parts', () => {
    const parts = partsOf(splitDataset(dataset, { seed: 5, imbalance: { kind: 'mnist-long-tail' } }));
    const instances = parts.flatMap((part) => Array.from(part));
    expect(new Set(instances).size).toBe(instances.length);
  });

  it('keeps other instances for another seed', () => {
    const training = (seed: number) => splitDataset(dataset, { seed, imbalance: { kind: 'mnist-long-tail' } }).training;
    expect(training(1)).toEqual(training(1));
    expect(training(1)).not.toEqual(training(2));
  });

  it('is refused where a class keeps less than one to train and one to validate', () => {
    expect(() => splitDataset(dataset, { seed: 1, imbalance: { kind: 'exponential', factor: 100 } })).toThrow(
      new UserError(
        'imbalance "exponential" keeps 1 of the 128 instances of class "c" in table.csv; expected at least 2, one to train ' +
          'and one to validate. Choose a milder profile, or data with more instances.',
      ),
    );
  });
});

describe("a split by CIFAR-10-LT's selection", () => {
  // CIFAR-10's labels in an order of our own: the selection needs no pixel.
  const labels = Array.from({ length: 60_000 }, (_, instance) => (instance * 7) % 10);
  const officialTest = Int32Array.from({ length: 10_000 }, (_, i) => 50_000 + i);
  const dataset = table(labels, { officialTest });
  const imbalance = { kind: 'cifar10-lt' } as const;

  it('trains and validates with the selected ranks, whatever the seed', () => {
    const sizes = new Array<number>(10).fill(5000);
    const ranks = legacySelection(sizes, keptCounts(imbalance, sizes), 0);
    const ofClass = ranks.map((_, p) =>
      [...labels.keys()].filter((instance) => instance < 50_000 && labels[instance] === p),
    );
    const expected = ranks
      .flatMap((own, p) => Array.from(own, (rank) => ofClass[p]?.[rank] ?? -1))
      .sort((a, b) => a - b);
    for (const seed of [1, 2]) {
      const { training, validation, test } = splitDataset(dataset, { seed, imbalance });
      expect([...training, ...validation].sort((a, b) => a - b)).toEqual(expected);
      expect(counts(dataset, validation)).toEqual(new Array(10).fill(5));
      expect(test).toEqual(officialTest);
    }
  });

  it('draws the validation images by the seed', () => {
    const validation = (seed: number) => splitDataset(dataset, { seed, imbalance }).validation;
    expect(validation(1)).not.toEqual(validation(2));
  });

  it('is refused for other data', () => {
    expect(() => splitDataset(table(labelsOf([200, 100])), { seed: 1, imbalance })).toThrow(
      new UserError(
        'imbalance "cifar10-lt" selects from CIFAR-10\'s own training set: 10 classes of 5000 images. table.csv has 2 ' +
          'classes of 160, 80 instances to train with. For other data take "exponential" with factor 100; for CIFAR-10 ' +
          'leave out testShare and testPerClass.',
      ),
    );
  });
});
