import type { Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import { bell, uniform } from '../network/initialisers.js';
import type { Network } from '../network/network.js';
import { add, mul } from '../operations/arithmetic.js';
import { concat } from '../operations/concat.js';
import { cos } from '../operations/functions.js';
import { matmul } from '../operations/matmul.js';
import { reshape } from '../operations/reshape.js';
import { transpose } from '../operations/transpose.js';

/** How {@link periodicEmbedding} is set. */
export interface PeriodicEmbeddingOptions {
  readonly name: string;
  /** Cosines of a number. @defaultValue 16 */
  readonly frequencies?: number;
  /** Features that are made of them, beside the number itself. @defaultValue 3 */
  readonly width?: number;
  /** Standard deviation of the first frequencies. @defaultValue 0.1 */
  readonly scale?: number;
}

/**
 * Every number beside what a small layer of its own makes of its cosines: `x, W₂·cos(2π·w₁·x + b₁) + b₂`, with all of it learned. Steps
 * and bumps in one column are easier for a network to see then (PBLD, Holzmüller et al. 2024).
 *
 * Parameters: `frequency` and `phase` `[features, frequencies]`, `weight` `[features, frequencies, width]`, `bias` `[features, width]`.
 *
 * @param x - `[…, features]`, in a pack `[pack, rows, features]` or `[rows, features]`
 * @returns `[…, features·(width + 1)]`
 */
export function periodicEmbedding(
  network: Network,
  x: Tensor,
  { name, frequencies = 16, width = 3, scale = 0.1 }: PeriodicEmbeddingOptions,
): Tensor {
  return network.scope(name, () => {
    const features = axisSize(x.shape, -1);
    const lead = network.pack === null ? [] : [network.pack];
    const frequency = network.parameter('frequency', [features, frequencies], bell(scale));
    const phase = network.parameter('phase', [features, frequencies], uniform(Math.PI));
    const weight = network.parameter('weight', [features, frequencies, width], uniform(1 / Math.sqrt(frequencies)), {
      decays: true,
    });
    const bias = network.parameter('bias', [features, width], uniform(1 / Math.sqrt(frequencies)));
    const forRows = (tensor: Tensor, size: number) => reshape(tensor, [...lead, 1, features, size]);

    const column = reshape(x, [...x.shape, 1]);
    const angle = add(mul(mul(column, forRows(frequency, frequencies)), 2 * Math.PI), forRows(phase, frequencies));
    // [pack, rows, features, frequencies] by [pack, features, frequencies, width]: the features in front of the rows
    const waves = swapRowsAndFeatures(cos(angle));
    const made = add(swapRowsAndFeatures(matmul(waves, weight)), forRows(bias, width));
    const own = network.pack === null || x.rank === 3 ? column : add(column, zerosOf(network, network.pack));
    const joined = concat([own, made], -1);
    return reshape(joined, [...joined.shape.slice(0, -2), features * (width + 1)]);
  });
}

function swapRowsAndFeatures(x: Tensor): Tensor {
  const [rows, features] = [x.rank - 3, x.rank - 2];
  return transpose(
    x,
    x.shape.map((_, axis) => (axis === rows ? features : axis === features ? rows : axis)),
  );
}

function zerosOf({ graph }: Network, pack: number): Tensor {
  return graph.constant(new Float32Array(pack), [pack, 1, 1, 1]);
}
