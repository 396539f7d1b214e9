import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { readColumns } from '../../src/sources/table-columns.js';
import { readTableFile } from '../../src/sources/table-file.js';
import { temporaryFiles } from './files.js';

const write = temporaryFiles();

async function writeParquet(columnData: ColumnSource[], rowGroupSize = 2): Promise<string> {
  return write(new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize })), 'table.parquet');
}

const CLASSES: ColumnSource = { name: 'class', data: ['k', 'l', 'k', 'k', 'l'], type: 'STRING' };

describe('a Parquet file', () => {
  it('gives the same table as a CSV file, hash and all', async () => {
    const csv = await write(
      'x,n,city,sold,day,digits,class\n0.1,1,Rome,True,2024-01-01,7,k\n,2,,False,2024-01-02,8,l\n-3e-7,9007199254740993,Oslo,True,,9,k\n' +
        '4,-4,Rome,,2024-01-01,7,k\n5,5,Oslo,False,2024-01-03 12:00,7,l\n',
    );
    const parquet = await writeParquet([
      { name: 'x', data: [0.1, null, -3e-7, 4, 5], type: 'DOUBLE' },
      { name: 'n', data: [1n, 2n, 9007199254740993n, -4n, 5n], type: 'INT64' },
      { name: 'city', data: ['Rome', null, 'Oslo', 'Rome ', 'Oslo'], type: 'STRING' },
      { name: 'sold', data: [true, false, true, null, false], type: 'BOOLEAN' },
      {
        name: 'day',
        data: [
          new Date('2024-01-01'),
          new Date('2024-01-02'),
          null,
          new Date('2024-01-01'),
          new Date('2024-01-03T12:00Z'),
        ],
        type: 'TIMESTAMP',
      },
      { name: 'digits', data: ['7', '8', '9', '7', '7'], type: 'STRING' },
      CLASSES,
    ]);
    const one = await readTableFile(csv, { target: 'class' });
    const other = await readTableFile(parquet, { target: 'class' });
    expect(other).toEqual({ ...one, name: 'table.parquet', writing: undefined });
    expect(other.columns.map(({ kind }) => kind)).toEqual([
      'numeric',
      'numeric',
      'categorical',
      'boolean',
      'date',
      'numeric',
    ]);
  });

  it('takes None and - for classes where they stand as such', async () => {
    const data = ['None', '-', 'None', 'a', null];
    const path = await writeParquet([
      { name: 'x', data: [1, 2, 3, 4, 5], type: 'DOUBLE' },
      { name: 'class', data, type: 'STRING' },
    ]);
    const { classNames, rowNumbers } = await readTableFile(path, { target: 'class', missingLabels: 'drop' });
    expect(classNames).toEqual(['-', 'None', 'a']);
    expect([...(rowNumbers ?? [])]).toEqual([1, 2, 3, 4]);
  });

  it('fault 17: counts NaN, null and infinite values', async () => {
    const path = await writeParquet([
      { name: 'x', data: [1, Number.NaN, null, Number.NEGATIVE_INFINITY, 2], type: 'DOUBLE' },
      CLASSES,
    ]);
    expect((await readTableFile(path, { target: 'class' })).notes).toEqual([
      'Column "x" has missing values: 3 of 5 (1 infinite).',
    ]);
  });

  it('fault 18: lists rows without a class by number', async () => {
    const path = await writeParquet([
      { name: 'x', data: [1, 2, 3], type: 'DOUBLE' },
      { name: 'class', data: ['k', null, ''], type: 'STRING' },
    ]);
    await expect(readTableFile(path, { target: 'class' })).rejects.toThrow(
      'table.parquet: 2 rows have no class in the column "class": rows 2, 3.',
    );
  });

  it('fault 20: names the nearest column if the target is absent', async () => {
    const path = await writeParquet([{ name: 'klass', data: ['k', 'l'], type: 'STRING' }]);
    await expect(readTableFile(path, { target: 'class' })).rejects.toThrow(
      'table.parquet has no column "class" (did you mean "klass"?).',
    );
  });

  it('fault 34: columns may be named __proto__ and toString', async () => {
    const path = await writeParquet([
      { name: '__proto__', data: [1, 2, 3, 4, 6], type: 'DOUBLE' },
      { name: 'toString', data: ['u', 'v', 'u', 'v', 'u'], type: 'STRING' },
      CLASSES,
    ]);
    expect((await readTableFile(path, { target: 'class' })).columns).toMatchObject([
      { name: '__proto__', kind: 'numeric', values: Float64Array.of(1, 2, 3, 4, 6) },
      { name: 'toString', kind: 'categorical' },
    ]);
  });

  it('may have classes that are integers', async () => {
    const path = await writeParquet([
      { name: 'x', data: [1, 2, 3], type: 'DOUBLE' },
      { name: 'class', data: [10, 9, 10], type: 'INT32' },
    ]);
    const { classNames, labels } = await readTableFile(path, { target: 'class' });
    expect([classNames, labels]).toEqual([['9', '10'], Int32Array.of(1, 0, 1)]);
    expect((await readColumns(path, [], { target: 'class' })).targets).toEqual(['10', '9', '10']);
  });

  it('passes over columns of structures, and says so', async () => {
    const path = await writeParquet([
      { name: 'nested', data: [{ a: 1 }, { a: 2 }], type: 'JSON' },
      { name: 'x', data: [1, 2], type: 'DOUBLE' },
      { name: 'class', data: ['k', 'l'], type: 'STRING' },
    ]);
    const { columns, notes } = await readTableFile(path, { target: 'class' });
    expect(columns.map(({ name }) => name)).toEqual(['x']);
    expect(notes).toEqual(['Column "nested" is left out: its values are lists, structures or bytes.']);
    await expect(readTableFile(path, { target: 'nested' })).rejects.toThrow('the column "nested" holds no classes');
    await expect(readColumns(path, [{ name: 'nested', kind: 'numeric' }])).rejects.toThrow(
      'table.parquet: the column "nested" holds lists, structures or bytes; expected numeric values.',
    );
  });

  it('is refused if it is truncated', async () => {
    const whole = parquetWriteBuffer({ columnData: [CLASSES] });
    const path = await write(new Uint8Array(whole, 0, whole.byteLength - 20), 'table.parquet');
    await expect(readTableFile(path, { target: 'class' })).rejects.toThrow(
      /^table\.parquet starts like a Parquet file, but cannot be read as one \(.+\)\. Is it complete\?$/,
    );
  });
});
