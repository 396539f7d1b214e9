import { gzipSync } from 'node:zlib';
import { Header, Pax } from 'tar';
import type { Files, Mutation } from '../reader.js';

const BLOCK = 512;

type EntryType = 'File' | 'Directory' | 'SymbolicLink';

function entry(
  path: string,
  content: string,
  { type = 'File', mode = 0o644 }: { type?: EntryType; mode?: number } = {},
) {
  const body = Buffer.from(content);
  const header = Buffer.alloc(BLOCK);
  new Header({ path, type, mode, size: body.length, mtime: new Date(0) }).encode(header);
  return Buffer.concat([header, body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)]);
}

const END = Buffer.alloc(2 * BLOCK);

/** Archives with folders, long names and extended headers, packed and not. */
export async function archiveCorpus(): Promise<Files> {
  const plain = Buffer.concat([
    entry('images', '', { type: 'Directory', mode: 0o755 }),
    entry('images/a.txt', 'a'),
    entry('images/b.bin', 'b'.repeat(1500)),
    END,
  ]);
  const extended = Buffer.concat([
    new Pax({ path: `${'deep/'.repeat(40)}file.txt`, comment: 'made by nobody' }).encode(),
    entry('short.txt', 'long'),
    entry('empty.txt', ''),
    END,
  ]);
  return new Map([
    ['plain.tar', plain],
    ['extended.tar', extended],
    ['packed.tar.gz', gzipSync(plain)],
  ]);
}

/** The checksum of every header, and in half of the cases the archive packed. */
export const repairTar: Mutation = (bytes, random) => {
  const tar = Buffer.from(bytes);
  for (let start = 0; start + BLOCK <= tar.length; start += BLOCK) {
    const header = tar.subarray(start, start + BLOCK);
    if (header.toString('latin1', 257, 262) !== 'ustar') continue;
    header.write('        ', 148);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  }
  return random() < 0.5 ? tar : gzipSync(tar);
};
