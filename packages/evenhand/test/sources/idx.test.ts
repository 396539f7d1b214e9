import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readIdx } from '../../src/sources/idx.js';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenhand-idx-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const HEADER = [0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3];
const VALUES = [1, 2, 3, 4, 5, 255];

/** Writes the bytes and reads them as 2 × 3 values. */
async function read(bytes: Uint8Array, name = 'values'): Promise<number[]> {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  const target = new Uint8Array(6);
  await readIdx(file, [2, 3], target);
  return [...target];
}

describe('readIdx', () => {
  it('reads the values, gzipped or not', async () => {
    const bytes = Uint8Array.from([...HEADER, ...VALUES]);
    expect(await read(bytes)).toEqual(VALUES);
    expect(await read(gzipSync(bytes), 'values.gz')).toEqual(VALUES);
  });

  it.each([
    ['another magic number', [0, 0, 8, 1, ...HEADER.slice(4), ...VALUES], 'begins with 0x801 instead of 0x802'],
    ['another type of values', [0, 0, 13, 2, ...HEADER.slice(4), ...VALUES], 'begins with 0xd02 instead of 0x802'],
    ['other dimensions', [...HEADER.slice(0, 11), 4, ...VALUES], 'holds 2 × 4 values instead of 2 × 3'],
    ['too few bytes', [...HEADER, ...VALUES.slice(1)], 'is truncated: 17 bytes instead of 18'],
    ['half a header', HEADER.slice(0, 7), 'is truncated: 7 bytes instead of 18'],
    ['no bytes', [], 'is truncated: 0 bytes instead of 18'],
    ['too many bytes', [...HEADER, ...VALUES, 0], 'has more than 18 bytes'],
  ])('refuses a file with %s', async (_, bytes, expected) => {
    const plain = Uint8Array.from(bytes);
    await expect(read(plain)).rejects.toThrow(`${join(folder, 'values')} ${expected}`);
    await expect(read(gzipSync(plain), 'values.gz')).rejects.toThrow(`${join(folder, 'values.gz')} ${expected}`);
  });

  it('refuses a damaged gzip file', async () => {
    const bytes = gzipSync(Uint8Array.from([...HEADER, ...VALUES]));
    await expect(read(bytes.subarray(0, -9), 'values.gz')).rejects.toThrow(
      'values.gz cannot be read (unexpected end of file)',
    );
    await expect(read(Uint8Array.from(VALUES), 'values.gz')).rejects.toThrow('cannot be read (incorrect header check)');
  });

  it('fault 30: stops decompressing where the values should end', async () => {
    const bomb = gzipSync(Buffer.concat([Uint8Array.from([...HEADER, ...VALUES]), Buffer.alloc(100_000_000)]));
    const before = process.memoryUsage().rss;
    await expect(read(bomb, 'bomb.gz')).rejects.toThrow('bomb.gz has more than 18 bytes');
    expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
  });

  it('says so if the file cannot be opened', async () => {
    await expect(readIdx(join(folder, 'absent'), [1], new Uint8Array(1))).rejects.toThrow(
      'absent cannot be read (ENOENT',
    );
  });
});
