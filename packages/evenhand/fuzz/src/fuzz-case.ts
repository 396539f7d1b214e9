import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { seededRandom } from '@evenhand/engine';
import { pick } from './mutations/draw.js';
import type { Files, Reader } from './reader.js';

/** How often a file is mutated: one fault gets further than several. */
const MUTATIONS = [1, 1, 1, 2, 4];

/** No file grows beyond this, however often a part of it is repeated. */
const MOST_BYTES = 2 ** 20;

/** A file that is no longer what it was. */
export interface FuzzCase {
  /** Of the file in the corpus that it was made from. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** What a case is known by. */
export interface CaseName {
  readonly reader: string;
  readonly seed: number;
  readonly number: number;
}

/** A case; name, reader and corpus decide every byte of it. */
export function makeCase({ reader: name, seed, number }: CaseName, reader: Reader, corpus: Files): FuzzCase {
  const random = seededRandom(seed, `${name}/${number}`);
  const [file, whole] = pick([...corpus], random);
  let bytes = whole;
  for (let left = pick(MUTATIONS, random); left > 0; left--) {
    bytes = pick(reader.mutations, random)(bytes, random).subarray(0, MOST_BYTES);
  }
  if (reader.repair !== undefined && random() < 0.6) bytes = reader.repair(bytes, random);
  return { file, bytes };
}

/** Writes a corpus into a folder. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, bytes] of files) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}

/** All files in a folder and those below it, sorted by name. */
export async function readFiles(folder: string): Promise<Files> {
  const files = new Map<string, Uint8Array>();
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) files.set(name.replaceAll('\\', '/'), await readFile(path));
  }
  return files;
}
