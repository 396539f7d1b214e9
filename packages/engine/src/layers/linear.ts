import type { Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import { fanInUniform, fansOf, type Initialiser, uniform } from '../network/initialisers.js';
import type { Network } from '../network/network.js';
import { add, mul } from '../operations/arithmetic.js';
import { linear as affine, matmul } from '../operations/matmul.js';
import { reshape } from '../operations/reshape.js';

/** What a weight and its bias start with. */
export interface WeightOptions {
  /** Weight's first values. @defaultValue {@link fanInUniform} */
  readonly initialise?: Initialiser;
  /** Bias's first values; `false` for no bias. @defaultValue uniform in ±1/√fan_in, of the weight's fan */
  readonly bias?: Initialiser | false;
  /** What the learning rate is multiplied by for the bias. @defaultValue 1 */
  readonly biasRate?: number;
}

/** A linear layer: its name and size. */
export interface LinearOptions extends WeightOptions {
  readonly name: string;
  /** Features that come out. */
  readonly units: number;
  /** What the weight is multiplied by. @defaultValue 1 */
  readonly weightScale?: number;
}

/**
 * `x·W + b` over the last axis.
 *
 * Parameters: `weight` `[features, units]`, `bias` `[units]`.
 *
 * @param x - `[…, features]`; in a pack `[pack, rows, features]`, or `[rows, features]` that all networks share
 * @returns `[…, units]`
 */
export function linear(
  network: Network,
  x: Tensor,
  { name, units, weightScale = 1, ...options }: LinearOptions,
): Tensor {
  return network.scope(name, () => {
    const features = axisSize(x.shape, -1);
    const { weight: learned, bias } = weightAndBias(network, [features, units], units, options);
    const weight = weightScale === 1 ? learned : mul(learned, weightScale);
    if (network.pack !== null) {
      const product = matmul(x, weight);
      return bias === undefined ? product : add(product, reshape(bias, [network.pack, 1, units]));
    }
    const rows = reshape(x, [x.size / features, features]);
    return reshape(affine(rows, weight, bias), [...x.shape.slice(0, -1), units]);
  });
}

/** The two parameters of a linear layer or a convolution. Weight decay pulls at the weight alone. */
export function weightAndBias(
  network: Network,
  shape: readonly number[],
  outputs: number,
  { initialise = fanInUniform, bias = uniform(1 / Math.sqrt(fansOf(shape).in)), biasRate = 1 }: WeightOptions,
): { readonly weight: Tensor; readonly bias: Tensor | undefined } {
  return {
    weight: network.parameter('weight', shape, initialise, { decays: true }),
    bias: bias === false ? undefined : network.parameter('bias', [outputs], bias, { rate: biasRate }),
  };
}
