import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ColumnType } from '../../src/index.js';
import { cellsOf, columnsOf } from '../../src/serve/cells.js';
import { PlainRows } from '../../src/serve/plain-rows.js';
import { columnsOfRows } from '../../src/sources/table-columns.js';
import { twoTables } from '../preprocessing/tables.js';
import { TYPES } from './models.js';

const odd = fc.oneof(
  fc.constantFrom(' Oslo', 7, 'NA', '', null, '2020-01-01', Number.POSITIVE_INFINITY),
  fc.string({ maxLength: 3 }),
);
const mostly = <Value>(usual: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: odd });
const row = fc.record({
  age: mostly(fc.double()),
  member: mostly(fc.constantFrom('yes', 'YES', 'no', true, false)),
  city: mostly(fc.constantFrom('Oslo', 'Rome', '7', 'Bern')),
});

describe('PlainRows', () => {
  const plain = new PlainRows(TYPES);

  it('reads what it reads as columnsOfRows does', () => {
    const types = TYPES.filter(({ kind }) => kind !== 'date');
    const rowsWithoutDates = new PlainRows(types);
    let read = 0;
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 3 }), (rows) => {
        const cells = rowsWithoutDates.read(rows);
        if (cells === undefined) return;
        read++;
        const { columns } = columnsOfRows(rows, types);
        expect(cells).toEqual(cellsOf(columns, rows.length));
      }),
      { numRuns: 1000, seed: 21 },
    );
    expect(read).toBeGreaterThan(20);
  });

  it('reads plain rows, whatever the order of their keys', () => {
    const types: ColumnType[] = TYPES.filter(({ kind }) => kind !== 'date');
    const cells = new PlainRows(types).read([{ city: 'Rome', age: 3.5, member: true }]);
    expect(cells).toEqual(Float64Array.of(3.5, 1, 1));
  });

  it.each([
    [[{ age: 1, member: true, city: 'Rome', since: '2020-01-01' }]],
    [[{ age: 1, member: true, city: 'Rome' }]],
    [[{ age: 1, member: true, city: 'Rome', since: null, other: 1 }]],
    [[7]],
    [[null]],
    [[[1, 2, 3, 4]]],
  ])('leaves %j to others', (rows) => {
    expect(plain.read(rows)).toBeUndefined();
  });
});

describe('cells', () => {
  it('hold a table as it is', () => {
    fc.assert(
      fc.property(twoTables, ({ first }) => {
        const [column] = first;
        const rows = column === undefined ? 0 : 'codes' in column ? column.codes.length : column.values.length;
        expect(columnsOf(first, cellsOf(first, rows))).toEqual(first);
      }),
      { numRuns: 100, seed: 22 },
    );
  });
});
