import type { Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { ones, zeros } from '../network/initialisers.js';
import type { Network } from '../network/network.js';
import { batchNormInference, batchNorm as normaliseByBatch } from '../operations/batch-normalisation.js';
import { layerNorm as normaliseByRow } from '../operations/layer-normalisation.js';

/** A normalisation layer's name, and what keeps it from dividing by 0. */
export interface NormOptions {
  readonly name: string;
  /** Added to the variance. @defaultValue 1e-5 */
  readonly epsilon?: number;
}

/** How {@link batchNorm} is set. */
export interface BatchNormOptions extends NormOptions {
  /** The batch's share in the running statistics. @defaultValue 0.1 */
  readonly momentum?: number;
}

/**
 * Normalises every channel: in training by the mean and variance of the batch, in inference by their running averages.
 *
 * Parameters: `scale`, `shift`; statistics: `mean`, `variance`; all `[C]`.
 *
 * @param x - `[N, C, …]`
 */
export function batchNorm(
  network: Network,
  x: Tensor,
  { name, momentum = 0.1, epsilon = 1e-5 }: BatchNormOptions,
): Tensor {
  return network.scope(name, () => {
    const channels = axisSize(x.shape, 1);
    const scale = network.parameter('scale', [channels], ones);
    const shift = network.parameter('shift', [channels], zeros);
    const mean = network.statistic('mean', [channels], 0);
    const variance = network.statistic('variance', [channels], 1);
    if (network.mode === 'inference') {
      return batchNormInference(x, scale, shift, mean.tensor, variance.tensor, epsilon);
    }
    const count = x.size / channels;
    if (count < 2) {
      throw new ShapeError(
        `${network.graph.scopeName}: one value a channel in [${x.shape.join(', ')}] has no variance; ` +
          'expected a batch of at least 2 in training',
      );
    }
    const batch = normaliseByBatch(x, scale, shift, epsilon);
    mean.update = { observed: batch.mean, factor: 1, share: momentum };
    // The running variance is the unbiased estimate: the layer divides by n, the average by n − 1.
    variance.update = { observed: batch.variance, factor: count / (count - 1), share: momentum };
    return batch.y;
  });
}

/**
 * Normalises every row by its own mean and variance, in training and inference alike.
 *
 * Parameters: `scale`, `shift` `[features]`.
 *
 * @param x - `[…, features]`
 */
export function layerNorm(network: Network, x: Tensor, { name, epsilon = 1e-5 }: NormOptions): Tensor {
  return network.scope(name, () => {
    const features = axisSize(x.shape, -1);
    const scale = network.parameter('scale', [features], ones);
    const shift = network.parameter('shift', [features], zeros);
    return normaliseByRow(x, scale, shift, epsilon);
  });
}
