import { existsSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DataCache } from '../../src/store/data-cache.js';
import { FileStore } from '../../src/store/file-store.js';
import { manifestOf, uploadFolder } from '../../src/store/manifest.js';
import { temporaryFolder } from '../runs/examples.js';

/** A store with data sets of a thousand bytes each, and a folder for caches. */
async function problem(texts: readonly string[]) {
  const [source, cache] = [await temporaryFolder(), await temporaryFolder()];
  const store = new FileStore(await temporaryFolder());
  const share = async (text: string) => {
    await writeFile(join(source, `${text}.csv`), text.padEnd(1000));
    return uploadFolder(store, 'data', source, await manifestOf(source, [`${text}.csv`]));
  };
  const hashes: string[] = [];
  for (const text of texts) hashes.push(await share(text));
  return { store, cache, hashes };
}

it('fetches a data set once, and gives it to the next process without the store', async () => {
  const { store, cache, hashes } = await problem(['a']);
  const [hash = ''] = hashes;
  const folder = await new DataCache(cache, 1e6).folderOf(store, hash);
  expect((await readFile(join(folder, 'a.csv'), 'utf8')).trim()).toBe('a');
  const nothing = new FileStore(await temporaryFolder());
  expect(await new DataCache(cache, 1e6).folderOf(nothing, hash)).toBe(folder);
});

it('fault 46: what is damaged in the cache is fetched again', async () => {
  const { store, cache, hashes } = await problem(['a']);
  const [hash = ''] = hashes;
  const folder = await new DataCache(cache, 1e6).folderOf(store, hash);
  await writeFile(join(folder, 'a.csv'), 'something else');
  await new DataCache(cache, 1e6).folderOf(store, hash);
  expect((await readFile(join(folder, 'a.csv'), 'utf8')).trim()).toBe('a');
});

it('makes room by what was not used for longest, but never by what a living process uses', async () => {
  const { store, cache, hashes } = await problem(['a', 'b', 'c']);
  const [a = '', b = '', c = ''] = hashes;
  const earlier = new DataCache(cache, 2500);
  await earlier.folderOf(store, a);
  await earlier.folderOf(store, b);
  await earlier.close(); // a process that is gone
  await utimes(join(cache, b), 0, 0);
  const now = new DataCache(cache, 2500);
  await now.folderOf(store, a);
  await now.folderOf(store, c);
  expect([a, b, c].map((hash) => existsSync(join(cache, hash)))).toEqual([true, false, true]);
});

it('refuses what is larger than it may be, and leaves nothing', async () => {
  const { store, cache, hashes } = await problem(['a']);
  const small = new DataCache(cache, 999);
  await expect(small.folderOf(store, hashes[0] ?? '')).rejects.toThrow(
    `the data has 1 kB, and this worker keeps at most 1 kB in ${cache}; give it more with --cache-size`,
  );
  await small.close();
  expect((await readdir(cache)).filter((name) => !name.endsWith('.held'))).toEqual([]);
});
