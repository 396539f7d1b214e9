import { seededRandom } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import type { TablePreprocessing } from '../../../src/preprocessing/preprocessing.js';
import { columnPositions } from '../../../src/preprocessing/table-features.js';
import { donorDrawer } from '../../../src/training/importance/donors.js';
import { drawnEvenly, effortFor } from '../../../src/training/importance/effort.js';
import { permutedRows } from '../../../src/training/importance/permuted-rows.js';

const all = (rows: number) => Int32Array.from({ length: rows }, (_, row) => row);

describe('values are permuted', () => {
  it('within folds alone, and each is used once', () => {
    const folds = Int32Array.from(all(60), (row) => row % 3);
    const draw = donorDrawer(folds, all(60), seededRandom(1, 'donors'));
    for (let time = 0; time < 5; time++) {
      const donors = draw();
      expect([...donors].map((donor) => donor % 3)).toEqual([...folds]);
      expect(Int32Array.from(donors).sort()).toEqual(all(60));
    }
  });

  it('from all rows of a fold, where only some are measured, each as often as the others', () => {
    const measured = Int32Array.of(4, 9);
    const draw = donorDrawer(new Int32Array(10), measured, seededRandom(2, 'donors'));
    const counts = new Array<number>(10).fill(0);
    for (let time = 0; time < 5000; time++) {
      const [one = -1, other = -1] = draw();
      expect(one).not.toBe(other);
      counts[one] = (counts[one] ?? 0) + 1;
    }
    // Binomial: 500 expected, a deviation of 21.
    for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(100);
  });

  it('with all features of a column, and nothing else; a row that gets its own value back is left out', () => {
    const own = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    const donated = [Float32Array.of(7, 8, 9, 4, 50, 6, 1, 2, 3)];
    const { rows, permutations, inputs } = permutedRows(own, donated, 3, [0, 2]);
    expect([...rows]).toEqual([0, 2]);
    expect([...permutations]).toEqual([0, 0]);
    expect([...inputs]).toEqual([7, 2, 9, 1, 8, 3]);
  });

  it('for a date with all of its parts and its flag, for a category with its code', () => {
    const number = { kind: 'number', mean: 0, std: 1, fill: 0, flagged: false } as const;
    const preprocessing: TablePreprocessing = {
      kind: 'table',
      version: 1,
      target: 'class',
      columns: [
        {
          type: { name: 'colour', kind: 'categorical', categories: [] },
          rules: [{ kind: 'category', categories: [] }],
        },
        { type: { name: 'amount', kind: 'numeric' }, rules: [number] },
        {
          type: { name: 'day', kind: 'date' },
          rules: [
            { ...number, part: 'day', flagged: true },
            { ...number, part: 'sine of year' },
          ],
        },
      ],
    };
    // Numbers: amount, day, sine; the flag of day; the code of colour.
    expect(columnPositions(preprocessing)).toEqual([[4], [0], [1, 2, 3]]);
  });
});

describe('what is measured', () => {
  it('is every row several times in small tables, and never more than a budget allows', () => {
    expect(effortFor(500, 10, 2)).toEqual({ rows: 500, permutations: 5 });
    for (const [rows, columns, classes] of [
      [5_000, 10, 2],
      [1_000_000, 10, 2],
      [1_000_000, 400, 3],
      [40_000, 30, 1500],
    ] as const) {
      const effort = effortFor(rows, columns, classes);
      expect(effort.rows * effort.permutations * columns).toBeLessThanOrEqual(100_000);
      expect(effort.rows * effort.permutations * columns * classes).toBeLessThanOrEqual(10_000_000);
    }
    expect(effortFor(100_000, 3000, 2)).toEqual({ rows: 200, permutations: 1 });
  });

  it('is as much of each class as of every other, and all of the rare ones', () => {
    const labels = Int32Array.from([...new Array(1000).fill(0), ...new Array(300).fill(1), ...new Array(7).fill(2)]);
    const drawn = drawnEvenly(labels, 4, 207, seededRandom(1, 'rows'));
    const counts = [0, 1, 2].map((label) => drawn.filter((row) => labels[row] === label).length);
    expect(counts).toEqual([100, 100, 7]);
    expect(new Set(drawn).size).toBe(207);
    expect(drawnEvenly(labels, 4, 5000, seededRandom(1, 'rows'))).toEqual(all(1307));
  });

  it('is a row each of some classes, where there are more classes than rows to afford', () => {
    const drawn = drawnEvenly(
      Int32Array.from(all(3000), (row) => row % 1500),
      1500,
      200,
      seededRandom(1, 'rows'),
    );
    expect(new Set(Array.from(drawn, (row) => row % 1500)).size).toBe(200);
  });
});
