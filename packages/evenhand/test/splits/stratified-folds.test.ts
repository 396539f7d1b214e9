import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTableFile } from '../../src/sources/table-file.js';
import { firstIdentical } from '../../src/splits/identical-instances.js';
import { stratifiedFolds } from '../../src/splits/stratified-folds.js';
import { UserError } from '../../src/user-error.js';
import { categorical, labelsOf, numeric, table } from './datasets.js';

const seeds = fc.integer();
const foldCounts = fc.integer({ min: 2, max: 7 });
const shuffledTables = fc
  .array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 6 })
  .filter((sizes) => sizes.reduce((sum, size) => sum + size, 0) >= 7)
  .chain((sizes) => {
    const labels = labelsOf(sizes);
    return fc.shuffledSubarray(labels, { minLength: labels.length }).map((shuffled) => table(shuffled));
  });

/** How often each value is in a list, for the values from 0. */
function countsOf(values: Iterable<number>, kinds: number): number[] {
  const counts = new Array<number>(kinds).fill(0);
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

describe('stratified folds', () => {
  it('have of every class the same number, give or take one, and so the same number of instances', () => {
    fc.assert(
      fc.property(shuffledTables, foldCounts, seeds, (dataset, folds, seed) => {
        const foldOf = stratifiedFolds(dataset, { folds, seed });
        expect(foldOf).toHaveLength(dataset.labels.length);
        for (const p of dataset.classNames.keys()) {
          const counts = countsOf(
            foldOf.filter((_, i) => dataset.labels[i] === p),
            folds,
          );
          expect(counts).toHaveLength(folds);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        }
        const sizes = countsOf(foldOf, folds);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('spread a class with fewer rows than folds over as many folds as it has rows', () => {
    const dataset = table(labelsOf([40, 3, 1]));
    const foldOf = stratifiedFolds(dataset, { folds: 5, seed: 1 });
    expect(new Set(foldOf.slice(40, 43)).size).toBe(3);
  });

  it('are the same for the same seed, and others for another', () => {
    const dataset = table(labelsOf([50, 20]));
    const foldOf = stratifiedFolds(dataset, { folds: 5, seed: 3 });
    expect(stratifiedFolds(dataset, { folds: 5, seed: 3 })).toEqual(foldOf);
    expect(stratifiedFolds(dataset, { folds: 5, seed: 4 })).not.toEqual(foldOf);
  });

  it('keep identical rows and groups in one fold', () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 1 })), { minLength: 10 });
    fc.assert(
      fc.property(rows, seeds, (given, seed) => {
        const dataset = table([...given.map(([, label]) => label), 0, 1], {
          columns: [numeric('x', [...given.map(([x]) => x), 10, 11])],
        });
        const foldOf = stratifiedFolds(dataset, { folds: 3, seed });
        expect(firstIdentical(dataset).map((first) => foldOf[first] ?? -1)).toEqual(foldOf);
      }),
    );
    const patients = Array.from({ length: 30 }, (_, i) => Math.floor(i / 3));
    const dataset = table(labelsOf([20, 10]), {
      leftOut: [categorical('patient', [...new Set(patients)].map(String), patients)],
    });
    const foldOf = stratifiedFolds(dataset, { folds: 5, seed: 1, group: 'patient' });
    expect(foldOf.filter((_, i) => i % 3 === 0)).toEqual(foldOf.filter((_, i) => i % 3 === 2));
  });

  it('of mammography have 52 of its 260 calcifications each, and its row of 3,329 copies in one', async (context) => {
    const file = join(process.env.EVENHAND_DATA ?? '', 'tabular/mammography.csv');
    context.skip(process.env.EVENHAND_DATA === undefined || !existsSync(file), 'there is no tabular/mammography.csv');
    const dataset = await readTableFile(file, { target: 'class' });
    const foldOf = stratifiedFolds(dataset, { folds: 5, seed: 0 });
    const rare = foldOf.filter((_, i) => dataset.labels[i] === 1);
    expect(countsOf(rare, 5)).toEqual([52, 52, 52, 52, 52]);
    // 10,923 others, 3,322 of them copies of one row: what is left is shared by four folds.
    const others = countsOf(
      foldOf.filter((_, i) => dataset.labels[i] === 0),
      5,
    );
    expect(others.sort((a, b) => b - a)).toEqual([3322, 1901, 1900, 1900, 1900]);
  });

  it.each([1, 1.5, 31])('are not %d of 30 rows', (folds) => {
    const dataset = table(labelsOf([20, 10]));
    const act = () => stratifiedFolds(dataset, { folds, seed: 1 });
    expect(act).toThrow(UserError);
    expect(act).toThrow(`folds is ${folds}; expected an integer from 2 to the number of instances`);
  });
});
