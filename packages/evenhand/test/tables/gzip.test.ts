import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ColumnRequest } from '../../src/tables/raw-table.js';
import { readTable } from '../../src/tables/read-table.js';
import { temporaryFiles } from './files.js';

const write = temporaryFiles();

const ALL: ColumnRequest = {
  expected: [],
  choose: (header) => header.map((_, column) => ({ column, as: 'any' })),
};

const read = async (content: string | Uint8Array, name: string, options = {}) =>
  (await readTable(await write(content, name), ALL, options)).columns;

/** More than a head, and more than a chunk. */
const CSV = `a;b\n${Array.from({ length: 12_000 }, (_, i) => `${i},5;"text ${i % 50}"\n`).join('')}`;

describe('a file that is compressed with gzip', () => {
  it.each([1000, 2 ** 16, 2 ** 19])('is read as what is in it, in chunks of %i bytes', async (chunkSize) => {
    const plain = await read(CSV, 'plain.csv');
    expect(await read(gzipSync(CSV), 'packed.csv.gz', { chunkSize })).toEqual(plain);
    expect(plain).toHaveLength(2);
  });

  it('is known by its first bytes, whatever it is called', async () => {
    const plain = await read(CSV, 'plain.csv');
    expect(await read(gzipSync(CSV), 'misnamed.csv')).toEqual(plain);
    expect(await read(CSV, 'plain.csv.gz')).toEqual(plain);
  });

  it('may have several members, a mark, or JSON lines in it', async () => {
    const members = Buffer.concat([gzipSync('\ufeffa,b\n1,2\n'), gzipSync('3,4\n')]);
    const expected = [
      { kind: 'numbers', name: 'a', values: Float64Array.of(1, 3) },
      { kind: 'numbers', name: 'b', values: Float64Array.of(2, 4) },
    ];
    expect(await read(members, 'members.csv.gz', { chunkSize: 1 })).toEqual(expected);
    expect(await read(gzipSync('{"a":1,"b":2}\n{"a":3,"b":4}'), 'rows.jsonl.gz')).toEqual(expected);
  });

  it.each<[what: string, content: Uint8Array, message: string]>([
    ['is cut off', gzipSync(CSV).subarray(0, 9000), 'cannot be unpacked: it is cut off (Z_BUF_ERROR). Is it complete?'],
    ['has another checksum', altered(gzipSync(CSV), -6), 'cannot be unpacked: it is damaged (Z_DATA_ERROR)'],
    ['has a flipped bit', altered(gzipSync(CSV), 12), 'cannot be unpacked: it is damaged (Z_DATA_ERROR)'],
    ['ends within its header', Uint8Array.of(0x1f, 0x8b, 8), 'cannot be unpacked: it is cut off (Z_BUF_ERROR)'],
    ['is packed twice', gzipSync(gzipSync(CSV)), 'and in it is another packed file; unpack it first: gunzip'],
    ['is a Parquet file', gzipSync('PAR1 and so on'), 'and in it is a Parquet file; unpack it first: gunzip'],
    ['has nothing in it', gzipSync(''), 'file.csv.gz is empty'],
    ['is no text', gzipSync(new Uint8Array(1000)), 'file.csv.gz is not text: byte 0 is zero'],
  ])('is refused if it %s', async (_, content, message) => {
    await expect(read(content, 'file.csv.gz')).rejects.toThrow(message);
  });

  it('fault 30: is refused, in little memory, if it unpacks to a hundred times as much and more', async () => {
    const bomb = await packed('a,b\n', '1,2\n'.repeat(2 ** 18), 110);
    const path = await write(bomb, 'bomb.csv.gz');
    const before = process.memoryUsage.rss();
    await expect(readTable(path, ALL)).rejects.toThrow(
      `bomb.csv.gz has ${bomb.length} bytes and unpacks to more than ${100 * bomb.length + 2 ** 26}, over 100 times as many, which no ` +
        'ordinary table does. If it is one, unpack it with gunzip, and name the unpacked file',
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(150e6);
  });
});

function altered(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const index = at < 0 ? copy.length + at : at;
  copy[index] = (copy[index] ?? 0) ^ 0x10;
  return copy;
}

/** A text and a part many times behind it, without ever having all of it. */
async function packed(first: string, part: string, times: number): Promise<Buffer> {
  const gzip = createGzip();
  const write = async () => {
    gzip.write(first);
    for (let i = 0; i < times; i++) {
      if (!gzip.write(part)) await new Promise((resolve) => gzip.once('drain', resolve));
    }
    gzip.end();
  };
  const [chunks] = await Promise.all([gzip.toArray(), write()]);
  return Buffer.concat(chunks);
}
