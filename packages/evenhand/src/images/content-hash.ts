import { createHash } from 'node:crypto';
import type { ImageDataset } from '../dataset/dataset.js';

/** SHA-256, in hex, of all that training could see of images. */
export function imageContentHash({
  classNames,
  labels,
  shape,
  pixels,
}: Pick<ImageDataset, 'classNames' | 'labels' | 'shape' | 'pixels'>): string {
  return createHash('sha256')
    .update(JSON.stringify({ kind: 'images', instances: labels.length, classNames, shape }))
    .update(labels)
    .update(pixels)
    .digest('hex');
}
