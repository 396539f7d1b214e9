import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { writeAtomically } from '../files/atomic-file.js';
import { makeFolder } from '../files/make-folder.js';
import { BlobError, type BlobStore, contentOf, fileContent, sha256Of } from './blob-store.js';

/** Relative, with `/` between names, and never out of the folder that it is put into. */
const pathSchema = z.string().refine((path) => path.split('/').every((name) => !/^\.{0,2}$|[\\\0]/.test(name)));

const manifestSchema = z.strictObject({
  files: z.array(
    z.strictObject({ path: pathSchema, sha256: z.string().regex(/^[0-9a-f]{64}$/), size: z.int().min(0) }),
  ),
});

/** A folder's files by what is in them. It is a blob itself, by whose hash the whole folder is known. */
export type Manifest = z.output<typeof manifestSchema>;

/** How many files are on their way at once. */
const AT_ONCE = 8;

/** Hashes files of a folder. */
export async function manifestOf(folder: string, paths: readonly string[]): Promise<Manifest> {
  const files = await inTurns([...paths].sort(), async (path) => {
    const file = join(folder, path);
    return { path, sha256: await sha256Of(createReadStream(file)), size: (await stat(file)).size };
  });
  return { files };
}

/** Bytes of all files. */
export function sizeOf({ files }: Manifest): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function bytesOf(manifest: Manifest): Uint8Array {
  return Buffer.from(JSON.stringify(manifest));
}

/** What a manifest is known by. */
export function manifestHash(manifest: Manifest): Promise<string> {
  return sha256Of([bytesOf(manifest)]);
}

/**
 * Puts files and their manifest into a store, as far as they are not there yet.
 *
 * @param prefix - of the keys: `data`, or `runs/<job>`
 * @returns the hash of the manifest
 */
export async function uploadFolder(
  store: BlobStore,
  prefix: string,
  folder: string,
  manifest: Manifest,
): Promise<string> {
  await inTurns(manifest.files, async ({ path, sha256, size }) => {
    const key = `${prefix}/${sha256}`;
    if (!(await store.has(key))) await store.write(key, fileContent(join(folder, path), size));
  });
  const hash = await manifestHash(manifest);
  // Written last: where it is, so are all files.
  const key = `${prefix}/${hash}`;
  if (!(await store.has(key))) await store.write(key, contentOf(bytesOf(manifest)));
  return hash;
}

/**
 * Reads a manifest from a store.
 *
 * @throws BlobError if it is not there, or not a manifest
 */
export async function readManifest(store: BlobStore, prefix: string, hash: string): Promise<Manifest> {
  const key = `${prefix}/${hash}`;
  const text = (await buffer(store.read(key))).toString('utf8');
  const { data, error } = manifestSchema.safeParse(jsonIn(text));
  if (error === undefined) return data;
  throw new BlobError(`${key} in ${store.name} is not a list of files`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Puts the files of a manifest into a folder; each is there whole or not at all. */
export async function downloadFolder(
  store: BlobStore,
  prefix: string,
  { files }: Manifest,
  folder: string,
): Promise<void> {
  await makeFolder(folder);
  for (const parent of new Set(files.map(({ path }) => dirname(path)))) await makeFolder(join(folder, parent));
  await inTurns(files, ({ path, sha256 }) => writeAtomically(join(folder, path), store.read(`${prefix}/${sha256}`)));
}

async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries(); // of which everybody takes the next one
  const workThrough = async () => {
    for (const [i, item] of waiting) results[i] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, workThrough));
  return results;
}
