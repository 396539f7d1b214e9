import type { Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { ones, zeros } from '../network/initialisers.js';
import { expectSingle, type Network } from '../network/network.js';
import { add, div, mul, sub } from '../operations/arithmetic.js';
import { batchNormInference, batchNorm as normaliseByBatch } from '../operations/batch-normalisation.js';
import { sqrt } from '../operations/functions.js';
import { layerNorm as normaliseByRow } from '../operations/layer-normalisation.js';
import { reshape } from '../operations/reshape.js';
import { transpose } from '../operations/transpose.js';

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
 * @param x - `[N, C, …]`; in a pack `[pack, N, C]`, each network by its own rows
 */
export function batchNorm(
  network: Network,
  x: Tensor,
  { name, momentum = 0.1, epsilon = 1e-5 }: BatchNormOptions,
): Tensor {
  return network.scope(name, () => {
    const channels = axisSize(x.shape, network.pack === null ? 1 : 2);
    const scale = network.parameter('scale', [channels], ones);
    const shift = network.parameter('shift', [channels], zeros);
    const mean = network.statistic('mean', [channels], 0);
    const variance = network.statistic('variance', [channels], 1);
    const { pack } = network;
    if (network.mode === 'inference') {
      return pack === null
        ? batchNormInference(x, scale, shift, mean.tensor, variance.tensor, epsilon)
        : normaliseEach(pack, x, scale, shift, mean.tensor, variance.tensor, epsilon);
    }
    const count = x.size / (channels * (pack ?? 1));
    if (count < 2) {
      throw new ShapeError(
        `${network.graph.scopeName}: one value a channel in [${x.shape.join(', ')}] has no variance; ` +
          'expected a batch of at least 2 in training',
      );
    }
    // The channels of all networks of a pack beside each other, each with its values in a row: their statistics have nothing to do with
    // each other, and ONNX Runtime is slow at channels whose values are far apart.
    const all = pack === null ? channels : pack * channels;
    const rows = pack === null ? x : reshape(transpose(x, [0, 2, 1]), [1, all, count]);
    const batch = normaliseByBatch(rows, reshape(scale, [all]), reshape(shift, [all]), epsilon);
    mean.update = { observed: reshape(batch.mean, mean.tensor.shape), factor: 1, share: momentum };
    // The running variance is the unbiased estimate: the layer divides by n, the average by n − 1.
    const unbiased = count / (count - 1);
    variance.update = {
      observed: reshape(batch.variance, variance.tensor.shape),
      factor: unbiased,
      share: momentum,
    };
    return pack === null ? batch.y : transpose(reshape(batch.y, [pack, channels, count]), [0, 2, 1]);
  });
}

/** Normalises the channels of each network of a pack by statistics of its own, all `[pack, C]`. */
function normaliseEach(
  pack: number,
  x: Tensor,
  scale: Tensor,
  shift: Tensor,
  mean: Tensor,
  variance: Tensor,
  epsilon: number,
): Tensor {
  const forRows = (vector: Tensor) => reshape(vector, [pack, 1, axisSize(vector.shape, 1)]);
  const factor = div(scale, sqrt(add(variance, epsilon)));
  return add(mul(x, forRows(factor)), forRows(sub(shift, mul(mean, factor))));
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
    expectSingle(network, 'layerNorm');
    const features = axisSize(x.shape, -1);
    const scale = network.parameter('scale', [features], ones);
    const shift = network.parameter('shift', [features], zeros);
    return normaliseByRow(x, scale, shift, epsilon);
  });
}
