import { parseConfig } from 'evenhand/config';
import { type ImageDataset, splitDataset } from 'evenhand/data';
import { expect, it } from 'vitest';
import { holdOut } from '../../src/tuning/held-out-images.js';

/** A hundred images of each of three classes, the last twenty of every class for testing; the first pixel counts the images. */
function countedImages(): ImageDataset {
  const pixels = new Uint8Array(300 * 4);
  for (let i = 0; i < 300; i++) pixels.set([i % 256, Math.floor(i / 256), i % 3, 7], i * 4);
  return {
    kind: 'images',
    name: 'counted',
    classNames: ['a', 'b', 'c'],
    labels: Int32Array.from({ length: 300 }, (_, i) => i % 3),
    shape: [1, 2, 2],
    pixels,
    contentHash: '',
    officialTest: Int32Array.from({ length: 60 }, (_, i) => 240 + i),
    notes: [],
  };
}

const { data: DATA } = parseConfig({
  data: {
    source: 'mnist',
    imbalance: { kind: 'exponential', factor: 4 },
    validationPerClass: 5,
    splitSeed: 3,
    giveBack: 1,
  },
  model: { name: 'lenet5' },
});

const imagesIn = ({ pixels }: ImageDataset, instances: Iterable<number>) =>
  Array.from(instances, (i) => (pixels[i * 4] ?? 0) + 256 * (pixels[i * 4 + 1] ?? 0));

it('holds out a share of each class of the imbalanced training images, and no test image is left', () => {
  const { dataset, data } = holdOut(countedImages(), DATA, 0.25, 0);
  // 80 training images of each class: 80, 40 and 20 are left; a quarter of these is held out.
  expect(dataset.labels).toHaveLength(140);
  const counts = [0, 1, 2].map((p) => [...(dataset.officialTest ?? [])].filter((i) => dataset.labels[i] === p).length);
  expect(counts).toEqual([20, 10, 5]);
  expect(imagesIn(dataset, dataset.labels.keys()).every((image) => image < 240)).toBe(true);
  // A label stays with its image.
  expect(imagesIn(dataset, dataset.labels.keys()).map((image) => image % 3)).toEqual([...dataset.labels]);
  expect(data).toMatchObject({ validationPerClass: 5, splitSeed: 0 });
  expect(data.imbalance).toBeUndefined();
});

it('neither training nor validation has a held-out image, and another draw holds out others of the same images', () => {
  const draws = [0, 1].map((draw) => {
    const { dataset, data } = holdOut(countedImages(), DATA, 0.25, draw);
    const { training, validation, test } = splitDataset(dataset, {
      seed: data.splitSeed,
      validationPerClass: data.validationPerClass,
    });
    expect(test).toEqual(dataset.officialTest);
    const seen = new Set([...training, ...validation]);
    expect([...test].some((instance) => seen.has(instance))).toBe(false);
    expect(validation).toHaveLength(15);
    return { all: imagesIn(dataset, dataset.labels.keys()), heldOut: imagesIn(dataset, test) };
  });
  expect(draws[1]?.all).toEqual(draws[0]?.all);
  expect(draws[1]?.heldOut).not.toEqual(draws[0]?.heldOut);
});
