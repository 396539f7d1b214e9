import { describe, expect, it } from 'vitest';
import { fitTablePreprocessing } from '../../src/preprocessing/fit-table.js';
import type { FeatureRule } from '../../src/preprocessing/preprocessing.js';
import { networkInput } from '../../src/preprocessing/table-features.js';
import { allRows, boolean, categorical, date, numeric, rowCount, table } from './tables.js';

const { NaN: missing, POSITIVE_INFINITY: infinite } = Number;

/** The rules of a table's only column, all rows training. */
function rulesOf(column: ReturnType<typeof numeric>, rows = allRows(rowCount(column))): readonly FeatureRule[] {
  return fitTablePreprocessing(table(column), rows).columns[0]?.rules ?? [];
}

describe('numbers', () => {
  it('are standardised by mean and standard deviation, and filled by the median', () => {
    // mean (1+2+3+10)/4 = 4, variance (9+4+1+36)/4 = 12.5, median (2+3)/2
    expect(rulesOf(numeric('x', 10, 1, 3, 2))).toEqual([
      { kind: 'number', mean: 4, std: Math.sqrt(12.5), fill: 2.5, flagged: false },
    ]);
  });

  it('are known from the training rows only', () => {
    const column = numeric('x', 1, 1000, 3, missing, 5);
    expect(rulesOf(column, Int32Array.of(0, 2, 4))).toEqual([
      { kind: 'number', mean: 3, std: Math.sqrt(8 / 3), fill: 3, flagged: false },
    ]);
  });

  it('fault 17: NaN and Infinity count as missing: not in mean and median, and flagged', () => {
    expect(rulesOf(numeric('x', 4, missing, infinite, 8, -infinite, 6))).toEqual([
      { kind: 'number', mean: 6, std: Math.sqrt(8 / 3), fill: 6, flagged: true },
    ]);
  });

  it('that are all the same are centred and not scaled, though 0.1 cannot be summed exactly', () => {
    const [rule] = rulesOf(numeric('x', ...Array.from({ length: 1000 }, () => 0.1)));
    expect(rule).toEqual({
      kind: 'number',
      mean: Math.fround(0.1),
      std: 1,
      fill: Math.fround(0.1),
      flagged: false,
    });
  });

  it('fault 17: that are all missing become zeros with a flag', () => {
    expect(rulesOf(numeric('x', missing, missing))).toEqual([
      { kind: 'number', mean: 0, std: 1, fill: 0, flagged: true },
    ]);
  });
});

it('booleans are numbers, 0 and 1', () => {
  expect(rulesOf(boolean('b', 1, 0, -1, 1, 1))).toEqual([
    { kind: 'number', mean: 0.75, std: Math.sqrt(0.1875), fill: 1, flagged: true },
  ]);
});

describe('categories', () => {
  it('get a code where the training rows have them at least twice', () => {
    const column = categorical('c', 'often', 'once', 'often', 'elsewhere', null, 'elsewhere', 'twice', 'twice');
    expect(rulesOf(column, Int32Array.of(0, 1, 2, 3, 4, 6, 7))).toEqual([
      { kind: 'category', categories: ['often', 'twice'] },
    ]);
  });

  it('may have any text', () => {
    const texts = ['', '__proto__', 'toString', '🙂', '"'];
    expect(rulesOf(categorical('c', ...texts, ...texts))).toEqual([{ kind: 'category', categories: texts }]);
  });
});

describe('dates', () => {
  const partsOf = (rules: readonly FeatureRule[]) => rules.map((rule) => (rule.kind === 'number' ? rule.part : null));

  it('show their day and their place in year and week', () => {
    const rules = rulesOf(date('d', '1970-01-02', '1970-01-04'));
    expect(partsOf(rules)).toEqual(['day', 'sine of year', 'cosine of year', 'sine of week', 'cosine of week']);
    expect(rules[0]).toEqual({ kind: 'number', part: 'day', mean: 2, std: 1, fill: 2, flagged: false });
    expect(rules[1]).toMatchObject({ mean: 0, std: 1, fill: expect.closeTo(Math.sin((4 * Math.PI) / 365.2425), 3) });
  });

  it('show the time of the day where it varies', () => {
    expect(partsOf(rulesOf(date('d', '1970-01-02T10:00Z', '1960-01-04T10:00Z'))).slice(5)).toEqual([]);
    expect(partsOf(rulesOf(date('d', '1970-01-02T10:00Z', null, '1960-01-04T10:01Z'))).slice(5)).toEqual([
      'sine of day',
      'cosine of day',
    ]);
  });

  it('have one flag for all parts', () => {
    const rules = rulesOf(date('d', '2024-01-01', null, '2024-03-01'));
    expect(rules.map((rule) => rule.kind === 'number' && rule.flagged)).toEqual([true, false, false, false, false]);
  });
});

it('keeps the types of the columns, without their values', () => {
  const columns = [numeric('n', 1), boolean('b', 1), categorical('c', 'x'), date('d', '2024-01-01')];
  const { columns: kept, target } = fitTablePreprocessing(table(...columns), Int32Array.of(0));
  expect(target).toBe('churn');
  expect(kept.map(({ type }) => type)).toEqual([
    { name: 'n', kind: 'numeric' },
    { name: 'b', kind: 'boolean', texts: ['no', 'yes'] },
    { name: 'c', kind: 'categorical', categories: ['x'] },
    { name: 'd', kind: 'date' },
  ]);
});

it('tells the network how many features there are, and how many codes', () => {
  const columns = [numeric('n', 1, missing, 2, 3), categorical('c', 'x', 'x', 'y', 'y'), boolean('b', 0, 1, 1, 1)];
  const preprocessing = fitTablePreprocessing(table(...columns), allRows(4));
  // n, b, the flag of n, and c with the codes 0, 1 and 2
  expect(networkInput(preprocessing)).toEqual({ features: 4, categories: [3] });
});

it('refuses a table without columns to learn from', () => {
  expect(() => fitTablePreprocessing(table(), Int32Array.of(0))).toThrow(
    'customers.csv: no column is left to learn from beside the target "churn"; expected at least one. ' +
      'Columns that look like identifiers are left out',
  );
  expect(() => fitTablePreprocessing(table(numeric('x', 1)), new Int32Array())).toThrow(
    'customers.csv: there are no training rows to learn from',
  );
});
