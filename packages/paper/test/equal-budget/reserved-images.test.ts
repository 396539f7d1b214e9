import { type ImageDataset, readMnist, splitDataset } from 'evenhand/data';
import { expect, it } from 'vitest';
import { RESERVED_PER_CLASS, reserveImages } from '../../src/equal-budget/reserved-images.js';
import { randomNumbers } from '../random-numbers.js';

/** Thirty images of each of three classes, the last ten of every class for testing. */
function smallImages(): ImageDataset {
  const random = randomNumbers(5);
  const labels = Int32Array.from({ length: 90 }, (_, i) => i % 3);
  return {
    kind: 'images',
    name: 'small',
    classNames: ['a', 'b', 'c'],
    labels,
    shape: [1, 4, 4],
    pixels: Uint8Array.from({ length: 90 * 16 }, () => Math.floor(256 * random())),
    contentHash: '',
    officialTest: Int32Array.from({ length: 30 }, (_, i) => 60 + i),
    notes: [],
  };
}

it('reserves as many training images of each class, and tests them beside the test images', () => {
  const { dataset, reserved } = reserveImages(smallImages(), 4);
  const counts = [0, 1, 2].map((p) => [...reserved].filter((instance) => dataset.labels[instance] === p).length);
  expect(counts).toEqual([4, 4, 4]);
  expect([...reserved].every((instance) => instance < 60)).toBe(true);
  expect(new Set(dataset.officialTest)).toEqual(
    new Set([...reserved, ...Array.from({ length: 30 }, (_, i) => 60 + i)]),
  );
});

it('never trains a reserved image, whatever is drawn', () => {
  const { dataset, reserved } = reserveImages(smallImages(), 4);
  for (const seed of [0, 1, 2]) {
    const { training, validation, test } = splitDataset(dataset, {
      seed,
      imbalance: { kind: 'step', factor: 2, minorityShare: 0.3 },
      validationPerClass: 2,
    });
    expect([...training, ...validation].some((instance) => reserved.has(instance))).toBe(false);
    expect(test).toHaveLength(30 + reserved.size);
    // 16 of each class are left; of the last one half.
    expect(training.length + validation.length).toBe(16 + 16 + 8);
  }
});

it('leaves twelve nines of MNIST, in every draw others, and the same 2,000 images to choose by', async () => {
  const mnist = await readMnist();
  const { dataset, reserved } = reserveImages(mnist);
  expect(reserved.size).toBe(10 * RESERVED_PER_CLASS);
  expect(reserveImages(mnist).reserved).toEqual(reserved);
  const drawn = [0, 1, 2].map((seed) => {
    const split = splitDataset(dataset, { seed, imbalance: { kind: 'mnist-long-tail' }, validationPerClass: 5 });
    expect(split.test).toHaveLength(12_000);
    const own = [...split.training, ...split.validation];
    // MNIST's 5923, 6742, … 5949 training images less 200 of each class, ⌈n/2^p⌉ of these.
    const sizes = [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949];
    expect(sizes.map((_, p) => own.filter((instance) => dataset.labels[instance] === p).length)).toEqual(
      sizes.map((size, p) => Math.ceil((size - 200) / 2 ** p)),
    );
    return own.filter((instance) => dataset.labels[instance] === 9).join();
  });
  expect(new Set(drawn).size).toBe(3);
});
