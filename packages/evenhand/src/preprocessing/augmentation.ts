import { seededRandom } from '@evenhand/engine';
import { uint8At } from '../checked-access.js';

/** How training images are varied. */
export interface AugmentationOptions {
  /** Images are moved by up to this many pixels each way, zeros coming in at the edge: a crop of the padded image. */
  readonly padding: number;
  /** Whether every second image, at random, is mirrored left to right. */
  readonly flip: boolean;
}

/** Where in training a batch stands. It decides the batch's variation, whatever was trained before. */
export interface BatchPosition {
  readonly seed: number;
  readonly epoch: number;
  /** How many images of the epoch come before the batch. */
  readonly position: number;
}

/**
 * Images cropped with padding and mirrored, at random, as He et al. 2015 did for CIFAR.
 *
 * @param pixels - `[batch, channels, height, width]`
 * @returns new pixels of the same shape
 */
export function augment(
  pixels: Uint8Array,
  [channels, height, width]: readonly [channels: number, height: number, width: number],
  { padding, flip }: AugmentationOptions,
  { seed, epoch, position }: BatchPosition,
): Uint8Array<ArrayBuffer> {
  const size = channels * height * width;
  const result = new Uint8Array(pixels.length);
  const shift = (random: number) => Math.floor(random * (2 * padding + 1)) - padding;
  for (let image = 0; image * size < pixels.length; image++) {
    const random = seededRandom(seed, `augment/${epoch}/${position + image}`);
    const [down, right, mirrored] = [shift(random()), shift(random()), random() < 0.5 && flip];
    for (let channel = 0; channel < channels; channel++) {
      const plane = image * size + channel * height * width;
      movePlane(pixels, result, { plane, height, width, down, right, mirrored });
    }
  }
  return result;
}

/** How one channel of one image is moved. */
interface Move {
  /** Where it begins. */
  readonly plane: number;
  readonly height: number;
  readonly width: number;
  readonly down: number;
  readonly right: number;
  readonly mirrored: boolean;
}

/** `to[y, x] = from[y + down, x + right]`, x counted from the right if mirrored; what comes from outside stays 0. */
function movePlane(from: Uint8Array, to: Uint8Array, { plane, height, width, down, right, mirrored }: Move): void {
  const [top, bottom] = [Math.max(0, -down), Math.min(height, height - down)];
  const [left, end] = [Math.max(0, -right), Math.min(width, width - right)];
  for (let y = top; y < bottom; y++) {
    const source = plane + (y + down) * width + right;
    const start = plane + y * width;
    if (mirrored) for (let x = left; x < end; x++) to[start + width - 1 - x] = uint8At(from, source + x);
    else to.set(from.subarray(source + left, source + end), start + left);
  }
}
