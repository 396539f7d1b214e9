import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitDataset } from '../../src/splits/split-dataset.js';
import { counts, numeric, partOf, table } from './datasets.js';

describe('mammography, a table with many duplicates', () => {
  it('is split 80 : 20 without a row on two sides', (context) => {
    const folder = process.env.EVENHAND_DATA;
    const file = join(folder ?? '', 'tabular/mammography.csv');
    if (folder === undefined || !existsSync(file)) {
      return context.skip('EVENHAND_DATA is not set; expected a folder with tabular/mammography.csv');
    }
    const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
    const rows = lines.map((line) => line.split(',').map(Number));
    const columns = [0, 1, 2, 3, 4, 5].map((c) =>
      numeric(
        `x${c + 1}`,
        rows.map((row) => row[c] ?? Number.NaN),
      ),
    );
    const dataset = table(
      rows.map((row) => (row[6] === 1 ? 1 : 0)),
      { columns },
    );
    const sides = new Map<string, Set<number>>();
    for (let seed = 0; seed < 5; seed++) {
      const split = splitDataset(dataset, { seed });
      // 0.2 · (10923, 260) = 2184.6, 52; of 2236.6 the 2237 whole instances go to the larger fraction.
      expect(counts(dataset, split.test)).toEqual([2185, 52]);
      expect(counts(dataset, split.validation)).toEqual([5, 5]);
      sides.clear();
      for (const [instance, part] of partOf(dataset, split).entries()) {
        const row = (rows[instance] ?? []).slice(0, 6).join();
        sides.set(row, (sides.get(row) ?? new Set()).add(part));
      }
      expect([...sides.values()].every((parts) => parts.size === 1)).toBe(true);
    }
    expect(sides.size).toBeLessThan(rows.length - 1000);
  });
});
