import { describe, expect, it } from 'vitest';
import { splitDataset } from '../../src/splits/split-dataset.js';
import { labelsOf, table } from './datasets.js';

const foldsOf = (sizes: readonly number[], folds: number) => {
  const split = splitDataset(table(labelsOf(sizes)), { seed: 0, folds });
  return { folds: Math.max(...(split.folds ?? [])) + 1, notes: split.notes };
};
/** 1,000 classes of 20 rows: 16 train. */
const MANY = Array.from({ length: 1000 }, () => 20);

describe('folds', () => {
  it('are as many as asked for, on ordinary tables', () => {
    expect(foldsOf([3000, 200, 40], 8)).toEqual({ folds: 8, notes: [] });
  });

  it('fault 54: are fewer, and it is said, where rows times classes are very many', () => {
    const { folds, notes } = foldsOf(MANY, 8);
    expect(folds).toBe(3);
    expect(notes).toContain('There are 3 folds instead of 8: 16,000 rows of 1,000 classes would take long.');
  });

  it('are as many as asked for where nobody would ask for so many by default', () => {
    expect(foldsOf(MANY, 10).folds).toBe(10);
  });
});
