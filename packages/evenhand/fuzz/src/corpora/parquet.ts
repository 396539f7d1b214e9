import { gzipSync } from 'node:zlib';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import type { Files } from '../reader.js';

const ROWS = 30;

function column<Value>(
  name: string,
  type: NonNullable<ColumnSource['type']>,
  value: (i: number) => Value,
): ColumnSource {
  return { name, type, data: Array.from({ length: ROWS }, (_, i) => value(i)) };
}

const CLASSES = column('class', 'STRING', (i) => ['common', 'common', 'rare'][i % 3]);

const EVERY_TYPE = [
  column('x', 'DOUBLE', (i) => (i % 7 === 0 ? null : i / 8)),
  column('count', 'INT32', (i) => i * i),
  column('large', 'INT64', (i) => BigInt(i) ** 9n),
  column('member', 'BOOLEAN', (i) => (i % 5 === 0 ? null : i % 2 === 0)),
  column('day', 'TIMESTAMP', (i) => new Date(Date.UTC(2024, i % 12, 1 + (i % 28)))),
  column('kind', 'STRING', (i) => ['red', 'green', null][i % 3]),
  CLASSES,
];

/** Parquet files of every type of column, and with every way to pack pages that the writer has. */
export async function parquetCorpus(): Promise<Files> {
  const file = (
    columnData: ColumnSource[],
    options: Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'> = {},
  ) => new Uint8Array(parquetWriteBuffer({ columnData, ...options }));
  const nested = column('list', 'JSON', (i) => [i, { a: i }]);
  return new Map([
    ['snappy.parquet', file(EVERY_TYPE)],
    ['plain.parquet', file(EVERY_TYPE, { codec: 'UNCOMPRESSED' })],
    ['gzip.parquet', file(EVERY_TYPE, { codec: 'GZIP', compressors: { GZIP: (input) => gzipSync(input) } })],
    ['groups.parquet', file(EVERY_TYPE, { rowGroupSize: 7, codec: 'UNCOMPRESSED' })],
    ['small.parquet', file([column('x', 'DOUBLE', (i) => i / 3), CLASSES], { codec: 'UNCOMPRESSED' })],
    ['nested.parquet', file([column('x', 'FLOAT', (i) => (i * 7) % 13), nested, CLASSES], { codec: 'UNCOMPRESSED' })],
  ]);
}
