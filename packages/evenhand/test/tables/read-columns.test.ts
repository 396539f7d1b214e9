import { describe, expect, it } from 'vitest';
import type { ColumnType } from '../../src/dataset/column.js';
import { type ReadColumnsOptions, readColumns } from '../../src/sources/table-columns.js';
import { readTableFile } from '../../src/sources/table-file.js';
import { temporaryFiles } from './files.js';

const write = temporaryFiles();

const TYPES: readonly ColumnType[] = [
  { name: 'size', kind: 'numeric' },
  { name: 'colour', kind: 'categorical', categories: ['1', 'blue', 'red'] },
  { name: 'sold', kind: 'boolean', texts: ['no', 'yes'] },
  { name: 'day', kind: 'date' },
];

async function read(content: string, options: ReadColumnsOptions = {}) {
  return readColumns(await write(content), TYPES, options);
}

describe('readColumns', () => {
  it('fault 25: finds columns by name, in any order, and ignores others', async () => {
    const { rows, columns, targets } = await read('junk,day,sold,size,colour\nq,2024-01-01,Yes,1.5,red\n,,no,2,blue\n');
    expect(rows).toBe(2);
    expect(columns).toEqual([
      { ...TYPES[0], values: Float64Array.of(1.5, 2) },
      { ...TYPES[1], codes: Int32Array.of(2, 1) },
      { ...TYPES[2], codes: Int32Array.of(1, 0) },
      { ...TYPES[3], values: Float64Array.of(Date.UTC(2024, 0, 1), Number.NaN) },
    ]);
    expect(targets).toEqual([]);
  });

  it('fault 25: names all columns that are absent, with the nearest names', async () => {
    await expect(read('Size,color,day\n1,red,\n')).rejects.toThrow(
      'table.csv has no columns "size" (did you mean "Size"?), "colour" (did you mean "color"?), "sold". Its columns are "Size", "color", "day".',
    );
  });

  it('gives the texts of the target', async () => {
    const { targets } = await read('class,day,sold,size,colour\na,,,,\n,,,,\n1.0,,,,\n', { target: 'class' });
    expect(targets).toEqual(['a', null, '1']);
  });

  it('fault 20: refuses a target that is absent', async () => {
    await expect(read('day,sold,size,colour\n,,,\n', { target: 'class' })).rejects.toThrow('has no column "class"');
  });

  it('takes unknown categories for missing ones, and says so', async () => {
    const { columns, notes } = await read('day,sold,size,colour\n,yes,1,green\n,maybe,Infinity,red\n,,2,1\n');
    expect(columns.slice(1, 3)).toMatchObject([
      { codes: Int32Array.of(-1, 2, 0) },
      { codes: Int32Array.of(1, -1, -1) },
    ]);
    expect(notes).toEqual([
      'Column "size" has missing values: 1 of 3.',
      'Column "colour" has texts that training never saw, such as "green", in 1 of 3 rows; they count as missing.',
      'Column "sold" has missing values: 1 of 3.',
      'Column "sold" has texts that training never saw, such as "maybe", in 1 of 3 rows; they count as missing.',
      'Column "day" has missing values: 3 of 3.',
    ]);
  });

  it('knows categories that are numbers by their texts', async () => {
    const { columns } = await read('day,sold,size,colour\n,,,1\n,,,1\n');
    expect(columns[1]).toMatchObject({ codes: Int32Array.of(0, 0) });
  });

  it('refuses a text where a number is expected', async () => {
    await expect(read('day,sold,size,colour\n,,1,\n,,large,\n')).rejects.toThrow(
      'table.csv, line 3: the column "size" has "large", where a number is expected, as in training.',
    );
  });

  it('refuses a number where a date is expected', async () => {
    await expect(read('day,sold,size,colour\n,,,\n45000,,,\n')).rejects.toThrow(
      'table.csv, line 3: the column "day" has "45000", where a date such as 2024-12-31 or 2024-12-31T23:59:59Z is expected, as in training.',
    );
  });

  it('reads a file of training as training read it', async () => {
    const path = await write(
      'a,b,c,d,class\n1,u,yes,2024-01-01,k\n,v,no,,l\n3,u,no,2024-05-01 10:00,k\n4,,,2024-01-02,k\n',
    );
    const { columns } = await readTableFile(path, { target: 'class' });
    expect((await readColumns(path, columns)).columns).toEqual(columns);
  });

  it('reads a European file of training as training read it, typing errors and all', async () => {
    const cells = Array.from(
      { length: 40 },
      (_, row) => `${row === 5 ? '7,5O' : `${row},5`};${row + 1}.250;u${row % 3};${'ab'[row % 2]}`,
    );
    const path = await write(`a;b;c;class\n${cells.join('\n')}\n`);
    const { columns } = await readTableFile(path, { target: 'class' });
    const again = await readColumns(path, columns);
    expect(again.columns).toEqual(columns);
    expect(again.notes).toEqual([
      'Numbers are read with decimal commas, in 2 columns: "0,5" in "a" is 0.5, "1.250" in "b" is 1250.',
      'Taken for missing values: in column "a" 1 of 40 cells is no number: "7,5O" (line 7).',
      'Column "a" has missing values: 1 of 40.',
    ]);
  });

  it('reads given types as training did', async () => {
    const path = await write(`a,b,class\n1,x,k\nsmall,y,l\n3,x,k\nlarge,y,l\n`);
    const options = { types: { a: 'numeric', b: 'categorical' } } as const;
    const { columns } = await readTableFile(path, { target: 'class', ...options });
    expect(columns[0]).toMatchObject({ kind: 'numeric', values: Float64Array.of(1, Number.NaN, 3, Number.NaN) });
    expect((await readColumns(path, columns, options)).columns).toEqual(columns);
  });

  it('fault 53: refuses a typing error if so asked', async () => {
    const cells = Array.from({ length: 40 }, (_, row) => (row === 5 ? '7.5O' : String(row)));
    const path = await write(`a\n${cells.join('\n')}\n`);
    await expect(readColumns(path, [{ name: 'a', kind: 'numeric' }], { invalidCells: 'refuse' })).rejects.toThrow(
      'table.csv, line 7: the column "a" has "7.5O", where a number is expected, as in training.',
    );
  });

  it('says where a row is', async () => {
    const { describeRow } = await read('day,sold,size,colour\n"\n",,,\n\n,,,\n');
    expect([describeRow(0), describeRow(1)]).toEqual(['line 2', 'line 5']);
  });
});
