import type { Normalisation } from '@evenhand/engine';
import type { ImageDataset } from '../dataset/dataset.js';

/**
 * Mean and standard deviation of every channel over the training images, pixels from 0 to 1: what the engine's
 * `normalisation` is told. A channel that never changes is centred and not scaled.
 *
 * @param rows - places of the training images
 */
export function imageNormalisation({ pixels, shape }: ImageDataset, rows: Int32Array): Normalisation {
  const [channels, height, width] = shape;
  const plane = height * width;
  // Sums of bytes and of their squares are integers, exact up to 10¹¹ pixels.
  const [sums, squares] = [new Float64Array(channels), new Float64Array(channels)];
  for (const row of rows) {
    for (let channel = 0; channel < channels; channel++) {
      const start = (row * channels + channel) * plane;
      let [sum, square] = [0, 0];
      for (let i = start; i < start + plane; i++) {
        const value = pixels[i] ?? 0;
        sum += value;
        square += value * value;
      }
      sums[channel] = (sums[channel] ?? 0) + sum;
      squares[channel] = (squares[channel] ?? 0) + square;
    }
  }
  const count = rows.length * plane;
  const mean = Array.from(sums, (sum) => sum / count);
  const std = mean.map((average, channel) => {
    const variance = (squares[channel] ?? 0) / count - average ** 2;
    return variance > 0 ? Math.sqrt(variance) / 255 : 1;
  });
  return { mean: mean.map((average) => average / 255), std };
}
