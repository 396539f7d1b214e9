import type { Tensor } from '../graph/graph.js';
import type { Network } from '../network/network.js';
import { averagePool as averageWindows, maxPool as maxWindows, type PoolingOptions } from '../operations/pooling.js';
import { mean } from '../operations/reductions.js';
import { imagesOf } from '../operations/window.js';

/** A pooling layer: the windows, and a name if the kind of layer is not enough. */
export interface PoolOptions extends PoolingOptions {
  readonly name?: string;
}

/** The largest pixel of every window. */
export function maxPool(network: Network, x: Tensor, { name = 'maxPool', ...windows }: PoolOptions): Tensor {
  return network.scope(name, () => maxWindows(x, windows));
}

/** The mean of every window, over the pixels inside the image. */
export function averagePool(network: Network, x: Tensor, { name = 'averagePool', ...windows }: PoolOptions): Tensor {
  return network.scope(name, () => averageWindows(x, windows));
}

/** The mean of every channel: `[N, C, H, W]` becomes `[N, C]`. */
export function globalAveragePool(network: Network, x: Tensor, { name = 'globalAveragePool' } = {}): Tensor {
  imagesOf(x.shape);
  return network.scope(name, () => mean(x, { axes: [2, 3] }));
}
