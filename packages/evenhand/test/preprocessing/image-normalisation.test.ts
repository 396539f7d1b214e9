import { expect, it } from 'vitest';
import type { ImageDataset } from '../../src/index.js';
import { imageNormalisation } from '../../src/preprocessing/image-normalisation.js';

function dataset(shape: ImageDataset['shape'], ...pixels: number[]): ImageDataset {
  return {
    kind: 'images',
    name: 'photos',
    classNames: ['a', 'b'],
    labels: new Int32Array(pixels.length / (shape[0] * shape[1] * shape[2])),
    contentHash: '',
    notes: [],
    shape,
    pixels: Uint8Array.from(pixels),
  };
}

it('is the mean and standard deviation of each channel over the training images, from 0 to 1', () => {
  const images = dataset([2, 1, 2], 0, 255, 51, 51, 9, 9, 9, 9, 0, 255, 51, 153);
  const { mean, std } = imageNormalisation(images, Int32Array.of(0, 2));
  // 0, 1, 0, 1; and 0.2, 0.2, 0.2, 0.6: mean 0.3, variance (3·0.01 + 0.09)/4
  expect(mean).toEqual([0.5, expect.closeTo(0.3, 12)]);
  expect(std).toEqual([0.5, expect.closeTo(Math.sqrt(0.03), 12)]);
});

it('does not scale a channel that never changes', () => {
  expect(imageNormalisation(dataset([1, 1, 2], 51, 51), Int32Array.of(0))).toEqual({ mean: [0.2], std: [1] });
});
