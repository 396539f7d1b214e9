import type { Tensor } from '../graph/graph.js';
import { ShapeError } from '../graph/shape.js';
import { expectSingle, type Network } from '../network/network.js';
import { type ConvolutionOptions, conv2d as convolve } from '../operations/convolution.js';
import { imagesOf } from '../operations/window.js';
import { type WeightOptions, weightAndBias } from './linear.js';

/** A convolution layer: its name, its kernels, and how they move. */
export interface Conv2dOptions extends ConvolutionOptions, WeightOptions {
  readonly name: string;
  /** Channels that come out. */
  readonly channels: number;
  /** Height and width of a kernel. */
  readonly kernel: number;
}

/**
 * Convolution of images.
 *
 * Parameters: `weight` `[channels, C/groups, kernel, kernel]`, `bias` `[channels]`.
 *
 * @param x - `[N, C, H, W]`
 * @returns `[N, channels, H′, W′]`
 */
export function conv2d(network: Network, x: Tensor, { name, channels, kernel, ...options }: Conv2dOptions): Tensor {
  return network.scope(name, () => {
    expectSingle(network, 'conv2d');
    const { groups = 1 } = options;
    const received = imagesOf(x.shape).channels;
    if (received % groups !== 0 || channels % groups !== 0) {
      throw new ShapeError(
        `${network.graph.scopeName}: ${received} channels in and ${channels} out; expected multiples of ${groups} groups`,
      );
    }
    const { weight, bias } = weightAndBias(network, [channels, received / groups, kernel, kernel], channels, options);
    return convolve(x, weight, bias, options);
  });
}
