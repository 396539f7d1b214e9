import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitDataset } from '../../src/splits/split-dataset.js';
import { UserError } from '../../src/user-error.js';
import { categorical, counts, images, labelsOf, numeric, partOf, table } from './datasets.js';

const seeds = fc.integer();

describe('groups', () => {
  const grouped = fc.array(fc.tuple(fc.nat(1), fc.nat(9)), { minLength: 20, maxLength: 80 }).map((rows) => {
    const labels = [...labelsOf([3, 3]), ...rows.map(([label]) => label)];
    const codes = [0, 1, 2, 3, 4, 5, ...rows.map(([, group]) => group)];
    return table(labels, { leftOut: [categorical('patient', codes.map(String), codes)] });
  });

  it('never appear in two parts, and no instance is lost', () => {
    fc.assert(
      fc.property(grouped, seeds, (dataset, seed) => {
        const parts = partOf(dataset, splitDataset(dataset, { seed, group: 'patient' }));
        expect(parts).not.toContain(-1);
        const partOfGroup = new Map<number, number>();
        const column = dataset.leftOut[0];
        const codes = column !== undefined && 'codes' in column ? column.codes : [];
        for (const [instance, part] of parts.entries()) {
          const group = codes[instance] ?? -1;
          expect(partOfGroup.get(group) ?? part).toBe(part);
          partOfGroup.set(group, part);
        }
      }),
    );
  });

  it('may be a feature, and chains of groups and duplicates stay together', () => {
    // Rows 0 and 1 are one group, 1 and 2 have the same features: x.
    const dataset = table(labelsOf([12, 12]), {
      columns: [numeric('x', [0, 1, 1, ...Array.from({ length: 21 }, (_, i) => i + 2)])],
      leftOut: [numeric('day', [5, 5, ...Array.from({ length: 22 }, (_, i) => 100 + i)])],
    });
    for (let seed = 0; seed < 20; seed++) {
      const parts = partOf(dataset, splitDataset(dataset, { seed, group: 'day' }));
      expect(new Set([parts[0], parts[1], parts[2]]).size).toBe(1);
    }
  });

  it('come as near to the share as they can', () => {
    // Ten groups of ten in each class: two of them are a fifth.
    const leftOut = [
      numeric(
        'patient',
        Array.from({ length: 200 }, (_, i) => Math.floor(i / 10)),
      ),
    ];
    const dataset = table(labelsOf([100, 100]), { leftOut });
    const split = splitDataset(dataset, { seed: 1, group: 'patient' });
    expect(counts(dataset, split.test)).toEqual([20, 20]);
    // No group is as small as 5: the smallest step that gives every class a validation instance is one group.
    expect(counts(dataset, split.validation)).toEqual([10, 10]);
    expect(split.notes).toEqual([
      'The validation set has 20 instances instead of 10: duplicates and groups stay together.',
    ]);
  });

  it('take the smallest where all are larger than the share', () => {
    const patients = (from: number) => labelsOf([40, 36, 24]).map((group) => from + group);
    const leftOut = [numeric('patient', [...patients(0), ...patients(3)])];
    const dataset = table(labelsOf([100, 100]), { leftOut });
    for (let seed = 0; seed < 20; seed++) {
      expect(counts(dataset, splitDataset(dataset, { seed, group: 'patient' }).test)).toEqual([24, 24]);
    }
  });

  it('exceed the share where that is nearer', () => {
    // Of 35 wanted: 30, or 10 and 30; never 10 alone.
    const patients = (from: number) => labelsOf([30, 30, 30, 10]).map((group) => from + group);
    const leftOut = [numeric('patient', [...patients(0), ...patients(4)])];
    const dataset = table(labelsOf([100, 100]), { leftOut });
    for (let seed = 0; seed < 20; seed++) {
      const { test } = splitDataset(dataset, { seed, group: 'patient', testShare: 0.35 });
      for (const count of counts(dataset, test)) expect([30, 40]).toContain(count);
    }
  });

  it('come as near to the shares of all classes as they can where each group has several', () => {
    // Twenty groups, each with eight rows of class a and two of b.
    const rows = Array.from({ length: 200 }, (_, i) => i);
    const leftOut = [
      numeric(
        'patient',
        rows.map((i) => Math.floor(i / 10)),
      ),
    ];
    const dataset = table(
      rows.map((i) => (i % 10 < 8 ? 0 : 1)),
      { leftOut },
    );
    expect(counts(dataset, splitDataset(dataset, { seed: 4, group: 'patient' }).test)).toEqual([32, 8]);
  });

  it('fault 23: leave a class that is one group to training, with notes', () => {
    const patients = [...new Array<number>(10).fill(0), ...Array.from({ length: 20 }, (_, i) => i + 1)];
    const dataset = table(labelsOf([10, 20]), { leftOut: [numeric('patient', patients)] });
    const split = splitDataset(dataset, { seed: 1, group: 'patient' });
    expect(counts(dataset, split.training)[0]).toBe(10);
    expect(split.notes).toContain('The test set has no instance of "a".');
    expect(split.notes).toContain('The validation set has no instance of "a".');
  });

  it('are single where the value is missing, with a note', () => {
    const leftOut = [numeric('patient', new Array<number>(20).fill(Number.NaN))];
    const dataset = table(labelsOf([10, 10]), { leftOut });
    const split = splitDataset(dataset, { seed: 1, group: 'patient' });
    expect(counts(dataset, split.test)).toEqual([2, 2]);
    expect(split.notes).toContain(
      'Rows without a value in the grouping column "patient": 20. Each is a group of its own.',
    );
  });

  it('need a column that is there', () => {
    const dataset = table(labelsOf([10, 10]), { leftOut: [numeric('patient', new Array<number>(20).fill(1))] });
    expect(() => splitDataset(dataset, { seed: 1, group: 'pateint' })).toThrow(
      new UserError('group is "pateint", but table.csv has no such column beside its target. Did you mean "patient"?', {
        options: ['data.group'],
      }),
    );
    expect(() => splitDataset(dataset, { seed: 1, group: 'household' })).toThrow(
      'table.csv has no such column beside its target. Expected one of x, patient.',
    );
  });

  it('need a table', () => {
    const dataset = images(
      labelsOf([3, 3]),
      Array.from({ length: 6 }, (_, i) => [i]),
    );
    expect(() => splitDataset(dataset, { seed: 1, group: 'patient' })).toThrow(
      new UserError('group is "patient", but images holds images, which have no columns. Leave the option out.', {
        options: ['data.group'],
      }),
    );
  });
});
