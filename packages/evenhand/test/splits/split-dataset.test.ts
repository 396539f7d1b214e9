import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitDataset } from '../../src/splits/split-dataset.js';
import { UserError } from '../../src/user-error.js';
import { counts, labelsOf, numeric, partOf, partsOf, table } from './datasets.js';

const seeds = fc.integer();
const classCounts = fc.array(fc.integer({ min: 3, max: 60 }), { minLength: 2, maxLength: 6 });
/** Rows of the classes in any order. */
const shuffledTables = classCounts.chain((sizes) => {
  const labels = labelsOf(sizes);
  return fc.shuffledSubarray(labels, { minLength: labels.length }).map((shuffled) => table(shuffled));
});

describe('a split without duplicates and groups', () => {
  it('has every instance in exactly one part, in ascending order', () => {
    fc.assert(
      fc.property(shuffledTables, seeds, (dataset, seed) => {
        const parts = partsOf(splitDataset(dataset, { seed }));
        const all = parts.flatMap((instances) => Array.from(instances));
        expect(all.sort((a, b) => a - b)).toEqual([...dataset.labels.keys()]);
        for (const instances of parts) expect(instances).toEqual(Int32Array.from(instances).sort());
      }),
    );
  });

  it('gives the test set the counts of the largest-remainder rule', () => {
    // 0.2 · (11, 12, 13, 14) = 2.2, 2.4, 2.6, 2.8: 10 in all, so the two largest fractions get one more.
    const dataset = table(labelsOf([11, 12, 13, 14]));
    expect(counts(dataset, splitDataset(dataset, { seed: 1 }).test)).toEqual([2, 2, 3, 3]);
  });

  it('gives the earlier class one more where fractions are equal', () => {
    // 0.25 · 6 = 1.5 each: round(4.5) = 5 in all.
    const dataset = table(labelsOf([6, 6, 6]));
    expect(counts(dataset, splitDataset(dataset, { seed: 1, testShare: 0.25 }).test)).toEqual([2, 2, 1]);
  });

  it('tests, validates and trains every class, however rare', () => {
    fc.assert(
      fc.property(
        shuffledTables,
        seeds,
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (dataset, seed, testShare) => {
          for (const instances of partsOf(splitDataset(dataset, { seed, testShare }))) {
            expect(Math.min(...counts(dataset, instances))).toBeGreaterThanOrEqual(1);
          }
        },
      ),
    );
  });

  it('keeps the size of the test set within one instance a class of the share', () => {
    fc.assert(
      fc.property(shuffledTables, seeds, (dataset, seed) => {
        const { test } = splitDataset(dataset, { seed, testShare: 0.3 });
        const sizes = counts(
          dataset,
          dataset.labels.map((_, instance) => instance),
        );
        for (const [p, count] of counts(dataset, test).entries()) {
          expect(Math.abs(count - 0.3 * (sizes[p] ?? 0))).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('takes a number of test instances a class, but leaves two', () => {
    const dataset = table(labelsOf([31, 800, 10]));
    const split = splitDataset(dataset, { seed: 1, testPerClass: 20 });
    expect(counts(dataset, split.test)).toEqual([20, 20, 8]);
    expect(counts(dataset, split.validation)).toEqual([5, 5, 1]);
    expect(split.notes).toContain(
      'The test set has fewer than 20 instances of "c" (8): two are left for training and validation.',
    );
  });

  it('shrinks the validation set so that training keeps half of a class, and says so', () => {
    const dataset = table(labelsOf([100, 9, 3]));
    const split = splitDataset(dataset, { seed: 1 });
    // After 20, 2 and 1 for testing: 80, 7 and 2.
    expect(counts(dataset, split.validation)).toEqual([5, 3, 1]);
    expect(counts(dataset, split.training)).toEqual([75, 4, 1]);
    expect(split.notes).toEqual([
      'The validation set has fewer than 5 instances of "b" (3), "c" (1): at least half of a class is left for training.',
    ]);
  });

  it('fault 6: is the same for the same seed', () => {
    fc.assert(
      fc.property(shuffledTables, seeds, (dataset, seed) => {
        expect(splitDataset(dataset, { seed })).toEqual(splitDataset(dataset, { seed }));
      }),
      { numRuns: 20 },
    );
  });

  it('has other validation instances for another draw, and the same test set and instances in all', () => {
    const dataset = table(labelsOf([200, 40]));
    const [first, again, other] = [undefined, 0, 1].map((validationDraw) =>
      splitDataset(dataset, { seed: 3, ...(validationDraw === undefined ? {} : { validationDraw }) }),
    );
    const all = (split: typeof first) => [...(split?.training ?? []), ...(split?.validation ?? [])].sort();
    expect(again).toEqual(first);
    expect(other?.validation).not.toEqual(first?.validation);
    expect(other?.test).toEqual(first?.test);
    expect(all(other)).toEqual(all(first));
  });

  it('fault 7: differs for another seed: every instance is sometimes tested', () => {
    const dataset = table(labelsOf([10, 20]));
    const tested = new Int32Array(30);
    const draws = 2000;
    for (let seed = 0; seed < draws; seed++) {
      for (const instance of splitDataset(dataset, { seed }).test) tested[instance] = (tested[instance] ?? 0) + 1;
    }
    // Each with probability 0.2; five standard deviations of the binomial distribution.
    const spread = 5 * Math.sqrt(draws * 0.2 * 0.8);
    for (const times of tested) expect(Math.abs(times - draws * 0.2)).toBeLessThan(spread);
  });

  it('does not move instances of a class when those of others change their order', () => {
    const one = table([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
    const other = table([1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 1]);
    const partsOfClass0 = (dataset: typeof one) =>
      partOf(dataset, splitDataset(dataset, { seed: 3 })).filter((_, instance) => dataset.labels[instance] === 0);
    expect(partsOfClass0(other)).toEqual(partsOfClass0(one));
  });

  it('fault 34: works with classes named like members of every object', () => {
    const dataset = table(labelsOf([10, 10, 10]), { classNames: ['__proto__', 'constructor', 'toString'] });
    expect(counts(dataset, splitDataset(dataset, { seed: 1 }).test)).toEqual([2, 2, 2]);
  });
});

describe("a source's own test set", () => {
  const officialTest = Int32Array.of(19, 0, 10);

  it('is the test set, whole', () => {
    const split = splitDataset(table(labelsOf([10, 10]), { officialTest }), { seed: 1 });
    expect(split.test).toEqual(Int32Array.of(0, 10, 19));
    expect(split.training.length + split.validation.length).toBe(17);
  });

  it('is not used when a share is asked for', () => {
    const split = splitDataset(table(labelsOf([10, 10]), { officialTest }), { seed: 1, testShare: 0.5 });
    expect(split.test.length).toBe(10);
    expect(split.notes).toContain("The test set is drawn from all instances; the source's own test set is not used.");
  });

  it('stays as it is when training repeats it, with a note', () => {
    const columns = [numeric('x', [0, 0, ...Array.from({ length: 18 }, (_, i) => i + 1)])];
    const split = splitDataset(table(labelsOf([10, 10]), { officialTest, columns }), { seed: 1 });
    expect(split.test).toEqual(Int32Array.of(0, 10, 19));
    expect(split.notes).toContain(
      "Instances that are identical to one in the source's own test set: 1. That test set stays as it is.",
    );
  });

  it('fault 23: may lack a class, with a note', () => {
    const split = splitDataset(table(labelsOf([10, 10]), { officialTest: Int32Array.of(1, 2) }), { seed: 1 });
    expect(split.notes).toContain('The test set has no instance of "b".');
  });

  it('is refused when groups cross it', () => {
    const leftOut = [
      numeric(
        'patient',
        Array.from({ length: 20 }, (_, i) => Math.floor(i / 2)),
      ),
    ];
    const dataset = table(labelsOf([10, 10]), { officialTest, leftOut });
    expect(() => splitDataset(dataset, { seed: 1, group: 'patient' })).toThrow(
      new UserError(
        `group is "patient", but it crosses table.csv's own test set: instances outside that belong together with one in it: 3. ` +
          'Give testShare, for a test set that is drawn by groups.',
        { options: ['data.testShare', 'data.group'] },
      ),
    );
  });
});

describe('split options', () => {
  const dataset = table(labelsOf([10, 10]));

  it.each([
    [{ seed: 1.5 }, ['data.splitSeed'], 'split options: seed is 1.5; expected an integer'],
    [{ seed: 1, testShare: 1 }, ['data.testShare'], 'split options: testShare is 1; expected a number below 1'],
    [
      { seed: 1, testShare: 0 },
      ['data.testShare'],
      'split options: testShare is 0; expected a test set, as there are no folds to tell how good the model is',
    ],
    [
      { seed: 1, testPerClass: 0 },
      ['data.testPerClass'],
      'split options: testPerClass is 0; expected a number of at least 1',
    ],
    [
      { seed: 1, validationPerClass: 0 },
      ['data.validationPerClass'],
      'split options: validationPerClass is 0; expected a number of at least 1',
    ],
    [
      { seed: 1, testShare: 0.5, testPerClass: 5 },
      ['data.testPerClass'],
      'split options: testPerClass is 5; expected only one of testShare and testPerClass',
    ],
    [{ seed: 1, testshare: 0.5 }, [], 'split options: unknown option "testshare"; did you mean "testShare"?'],
    [
      { seed: 1, imbalance: { kind: 'step', factor: 0.5, minorityShare: 0.5 } as const },
      ['data.imbalance.factor'],
      'split options: imbalance.factor is 0.5; expected a number of at least 1',
    ],
  ])('%o is refused by the name that it has in a configuration, %o: %s', (options, named, message) => {
    expect(() => splitDataset(dataset, options)).toThrow(new UserError(message, { options: named }));
  });
});
