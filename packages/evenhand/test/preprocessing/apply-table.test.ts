import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../src/index.js';
import { applyTablePreprocessing } from '../../src/preprocessing/apply-table.js';
import { fitTablePreprocessing } from '../../src/preprocessing/fit-table.js';
import { networkInput } from '../../src/preprocessing/table-features.js';
import { allRows, boolean, categorical, date, numeric, rowCount, table, twoTables } from './tables.js';

const missing = Number.NaN;

describe('the input of the network', () => {
  it('is all numbers, then flags, then codes', () => {
    const columns = [
      categorical('c', 'x', 'y', 'x', 'y', null, 'rare'),
      numeric('n', 1, 3, missing, 1, 3, 2),
      boolean('b', 0, 1, 0, 1, 0, 1),
    ];
    const preprocessing = fitTablePreprocessing(table(...columns), allRows(6));
    // n: mean 2, std √(4/5), median 2; b: mean ½, std ½
    const step = Math.fround(1 / Math.sqrt(0.8));
    expect([...applyTablePreprocessing(preprocessing, columns, allRows(6))]).toEqual(
      [
        [-step, -1, 0, 1],
        [step, 1, 0, 2],
        [0, -1, 1, 1],
        [-step, 1, 0, 2],
        [step, -1, 0, 0],
        [0, 1, 0, 0],
      ].flat(),
    );
  });

  it('is that of the rows that are asked for, in their order, repeated ones too', () => {
    const columns = [numeric('n', -1, 1)];
    const preprocessing = fitTablePreprocessing(table(...columns), allRows(2));
    expect([...applyTablePreprocessing(preprocessing, columns, Int32Array.of(1, 0, 1))]).toEqual([1, -1, 1]);
  });

  it('is the same for more rows than are worked on at once', () => {
    const values = Array.from({ length: 2500 }, (_, i) => i % 7);
    const columns = [numeric('n', ...values), categorical('c', ...values.map(String))];
    const preprocessing = fitTablePreprocessing(table(...columns), allRows(2500));
    const all = applyTablePreprocessing(preprocessing, columns, allRows(2500));
    const single = [0, 1023, 1024, 2047, 2048, 2499].map((row) => [
      ...applyTablePreprocessing(preprocessing, columns, Int32Array.of(row)),
    ]);
    expect(single).toEqual([0, 1023, 1024, 2047, 2048, 2499].map((row) => [...all.subarray(2 * row, 2 * row + 2)]));
  });

  it('knows where a date stands in the year and in the week', () => {
    // A quarter of the mean Gregorian year, and of the week, after 1970 began
    const quarter = (days: number) => new Date((days / 4) * 86_400_000).toISOString();
    const columns = [date('d', quarter(365.2425), quarter(7), quarter(0))];
    const preprocessing = fitTablePreprocessing(table(...columns), allRows(3));
    const rows = applyTablePreprocessing(preprocessing, columns, allRows(3));
    expect(rows[1]).toBeCloseTo(1, 6);
    expect(rows[2]).toBeCloseTo(0, 6);
    expect(rows[7 + 3]).toBeCloseTo(1, 6);
    expect(rows[7 + 4]).toBeCloseTo(0, 6);
    // 1970 began at the zero of all circles
    expect([...rows.subarray(15)]).toEqual([0, 1, 0, 1, 0, 1]);
  });

  it('fault 25: finds columns by name, and codes of categories by their texts', () => {
    const columns = [numeric('a', 1, 2), categorical('c', 'x', 'x')];
    const preprocessing = fitTablePreprocessing(table(...columns), allRows(2));
    const others = [categorical('c', 'new', 'x', null), numeric('extra', 9, 9, 9), numeric('a', 2, missing, 1)];
    expect([...applyTablePreprocessing(preprocessing, others, allRows(3))]).toEqual([1, 0, 0, 1, -1, 0]);
  });

  it('fault 17: is finite whatever is in the table', () => {
    fc.assert(
      fc.property(twoTables, ({ first, second, training }) => {
        const preprocessing = fitTablePreprocessing(table(...first), training);
        for (const columns of [first, second]) {
          const rows = allRows(columns[0] === undefined ? 0 : rowCount(columns[0]));
          const input = applyTablePreprocessing(preprocessing, columns, rows);
          expect(input).toHaveLength(rows.length * networkInput(preprocessing).features);
          expect(input.every(Number.isFinite)).toBe(true);
        }
      }),
    );
  });

  it('has mean 0 and standard deviation 1 in the training rows', () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(values, (some) => {
        fc.pre(Math.max(...some) - Math.min(...some) > 1);
        const columns = [numeric('n', ...some)];
        const input = applyTablePreprocessing(
          fitTablePreprocessing(table(...columns), allRows(some.length)),
          columns,
          allRows(some.length),
        );
        const mean = input.reduce((sum, value) => sum + value, 0) / input.length;
        const square = input.reduce((sum, value) => sum + value ** 2, 0) / input.length;
        expect(mean).toBeCloseTo(0, 4);
        expect(square).toBeCloseTo(1, 4);
      }),
    );
  });
});

describe('a table that does not fit', () => {
  const columns = [numeric('age', 1, 2), boolean('member', 0, 1), categorical('city', 'x', 'x')];
  const preprocessing = fitTablePreprocessing(table(...columns), allRows(2));
  const applied = (...others: typeof columns) => applyTablePreprocessing(preprocessing, others, allRows(2));

  it('fault 25: because columns are missing, is refused by their names and the nearest there are', () => {
    const refused = () => applied(numeric('Age', 1, 2), boolean('member', 0, 1), numeric('height', 1, 2));
    expect(refused).toThrow(UserError);
    expect(refused).toThrow(
      'the table has no columns "age" (did you mean "Age"?), "city". Its columns are "Age", "member", "height".',
    );
  });

  it('because a column holds something else, is refused', () => {
    const [age, member, city] = [numeric('age', 1, 2), boolean('member', 0, 1), categorical('city', 'x', 'x')];
    expect(() => applied(categorical('age', 'old', 'new'), member, city)).toThrow(
      'the table: the column "age" is categorical; expected numeric, as in training',
    );
    const other = { name: 'member', kind: 'boolean', texts: ['f', 't'], codes: Int32Array.of(0, 1) } as const;
    expect(() => applied(age, other, city)).toThrow(
      'the table: the column "member" is boolean ("f" or "t"); expected boolean ("no" or "yes"), as in training',
    );
    expect(() => applied(age, boolean('member', 0), city)).toThrow(
      'the table: the column "member" has 1 rows; expected 2, as in the others',
    );
  });
});
