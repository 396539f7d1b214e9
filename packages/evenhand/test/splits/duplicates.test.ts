import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitDataset } from '../../src/splits/split-dataset.js';
import { UserError } from '../../src/user-error.js';
import { categorical, counts, images, labelsOf, numeric, partOf, partsOf, table } from './datasets.js';

const seeds = fc.integer();

describe('duplicates', () => {
  /** Tables with few different rows, labels independent of them. */
  const repetitive = fc
    .array(fc.tuple(fc.nat(2), fc.nat(6), fc.constantFrom(-1, 0, 1)), { minLength: 30, maxLength: 120 })
    .map((rows) => {
      const labels = [...labelsOf([3, 3, 3]), ...rows.map(([label]) => label)];
      const values = [...new Array<number>(9).fill(Number.NaN), ...rows.map(([, value]) => value)];
      const codes = [...new Array<number>(9).fill(-1), ...rows.map(([, , code]) => code)];
      return table(labels, { columns: [numeric('x', values), categorical('y', ['no', 'yes'], codes)] });
    });

  it('never appear in two parts', () => {
    fc.assert(
      fc.property(repetitive, seeds, (dataset, seed) => {
        const parts = partOf(dataset, splitDataset(dataset, { seed }));
        const partOfRow = new Map<string, number>();
        for (const [instance, part] of parts.entries()) {
          const row = JSON.stringify(
            dataset.columns.map((c) => String(('values' in c ? c.values : c.codes)[instance])),
          );
          expect(partOfRow.get(row) ?? part).toBe(part);
          partOfRow.set(row, part);
        }
      }),
    );
  });

  it('leave every instance in a part and every class in training', () => {
    fc.assert(
      fc.property(repetitive, seeds, (dataset, seed) => {
        const split = splitDataset(dataset, { seed });
        expect(partOf(dataset, split)).not.toContain(-1);
        expect(partsOf(split).reduce((sum, instances) => sum + instances.length, 0)).toBe(dataset.labels.length);
        expect(counts(dataset, split.training)).not.toContain(0);
      }),
    );
  });

  it('are counted in the notes, contradictory ones too', () => {
    const columns = [numeric('x', [7, 7, 7, 8, 8, ...Array.from({ length: 35 }, (_, i) => 100 + i)])];
    const labels = [0, 1, 1, 0, 0, ...labelsOf([17, 18])];
    expect(splitDataset(table(labels, { columns }), { seed: 1 }).notes).toEqual([
      'Instances that repeat the features of an earlier one: 3. Identical ones stay in one part (option duplicatesTogether).',
      'Sets of identical instances that belong to more than one class: 1.',
    ]);
  });

  it('keep the exact counts where single instances can fill up', () => {
    const values = Array.from({ length: 200 }, (_, i) => (i % 100 < 40 ? Math.floor(i / 4) : 1000 + i));
    const dataset = table(labelsOf([100, 100]), { columns: [numeric('x', values)] });
    for (let seed = 0; seed < 50; seed++) {
      expect(counts(dataset, splitDataset(dataset, { seed }).test)).toEqual([20, 20]);
    }
  });

  it('are refused where all are one', () => {
    const dataset = table(labelsOf([20, 20]), { columns: [numeric('x', new Array<number>(40).fill(1))] });
    expect(() => splitDataset(dataset, { seed: 1 })).toThrow(
      new UserError(
        'table.csv cannot be split: identical instances keep so many together that nothing is left for a test or ' +
          'validation set. Separate identical instances (duplicatesTogether false).',
      ),
    );
  });

  it('may be separated', () => {
    const columns = [numeric('x', new Array<number>(40).fill(1))];
    const dataset = table(labelsOf([20, 20]), { columns });
    const split = splitDataset(dataset, { seed: 1, duplicatesTogether: false });
    expect(counts(dataset, split.test)).toEqual([4, 4]);
    expect(split.notes).toEqual([]);
  });

  it('are found among images', () => {
    // Twelve pictures, each three times.
    const pixels = Array.from({ length: 36 }, (_, i) => [i % 12, 255]);
    const dataset = images(labelsOf([18, 18]), pixels);
    const parts = partOf(dataset, splitDataset(dataset, { seed: 1 }));
    for (let i = 0; i < 24; i++) expect(parts[i]).toBe(parts[i + 12]);
  });
});
