import { axisSize, ShapeError } from '../graph/shape.js';
import type { Shape } from '../graph/tensor.js';

/** A batch of images `[N, C, H, W]`. */
export interface Images {
  readonly batch: number;
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

export function imagesOf(shape: Shape): Images {
  if (shape.length !== 4) throw new ShapeError(`expected images [N, C, H, W], received [${shape.join(', ')}]`);
  return {
    batch: axisSize(shape, 0),
    channels: axisSize(shape, 1),
    height: axisSize(shape, 2),
    width: axisSize(shape, 3),
  };
}

/** How a window moves over an image, the same in both directions. */
export interface Window {
  readonly stride: number;
  readonly padding: number;
}

/** How a kernel moves over images, and in how many groups of channels that do not see each other. */
export interface Convolution extends Window {
  readonly groups: number;
}

/** A gradient of a convolution: of its input or its weights, which have this shape. */
export interface ConvolutionGradient extends Convolution {
  readonly shape: Shape;
}

/** How many windows fit along an axis. */
export function windowCount(size: number, kernel: number, { stride, padding }: Window): number {
  if (!(Number.isInteger(stride) && stride >= 1 && Number.isInteger(padding) && padding >= 0)) {
    throw new ShapeError(
      `expected integers, a stride of at least 1 and a padding of at least 0, received stride ${stride} and padding ${padding}`,
    );
  }
  const count = Math.floor((size + 2 * padding - kernel) / stride) + 1;
  if (count < 1)
    throw new ShapeError(
      `expected a size of at least ${kernel - 2 * padding} for a window of ${kernel}, received ${size}`,
    );
  return count;
}
