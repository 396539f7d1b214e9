import type { Normalisation } from '@evenhand/engine';
import { uint8At } from '../checked-access.js';
import type { ImageDataset } from '../dataset/dataset.js';

/**
 * Mean and standard deviation of every channel over the training images, pixels from 0 to 1: what the engine's
 * `normalisation` is told. A channel that never changes is centred and not scaled.
 *
 * @param instances - the training images
 */
export function imageNormalisation({ pixels, shape }: ImageDataset, instances: Int32Array): Normalisation {
  const [channels, height, width] = shape;
  const plane = height * width;
  // Sums of bytes and of their squares are integers, exact up to 10¹¹ pixels.
  const count = instances.length * plane;
  const normalisation: { mean: number[]; std: number[] } = { mean: [], std: [] };
  for (let channel = 0; channel < channels; channel++) {
    let [sum, squares] = [0, 0];
    for (const instance of instances) {
      const start = (instance * channels + channel) * plane;
      for (let i = start; i < start + plane; i++) {
        const value = uint8At(pixels, i);
        sum += value;
        squares += value * value;
      }
    }
    const average = sum / count;
    const variance = squares / count - average ** 2;
    normalisation.mean.push(average / 255);
    normalisation.std.push(variance > 0 ? Math.sqrt(variance) / 255 : 1);
  }
  return normalisation;
}
