import type { Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import { fanInUniform, fansOf, type Initialiser, uniform } from '../network/initialisers.js';
import type { Network } from '../network/network.js';
import { linear as affine } from '../operations/matmul.js';
import { reshape } from '../operations/reshape.js';

/** What a weight and its bias start with. */
export interface WeightOptions {
  /** Weight's first values. @defaultValue {@link fanInUniform} */
  readonly initialise?: Initialiser;
  /** Bias's first values; `false` for no bias. @defaultValue uniform in ±1/√fan_in, of the weight's fan */
  readonly bias?: Initialiser | false;
}

/** A linear layer: its name and size. */
export interface LinearOptions extends WeightOptions {
  readonly name: string;
  /** Features that come out. */
  readonly units: number;
}

/**
 * `x·W + b` over the last axis.
 *
 * Parameters: `weight` `[features, units]`, `bias` `[units]`.
 *
 * @param x - `[…, features]`
 * @returns `[…, units]`
 */
export function linear(network: Network, x: Tensor, { name, units, ...options }: LinearOptions): Tensor {
  return network.scope(name, () => {
    const features = axisSize(x.shape, -1);
    const { weight, bias } = weightAndBias(network, [features, units], units, options);
    const rows = reshape(x, [x.size / features, features]);
    return reshape(affine(rows, weight, bias), [...x.shape.slice(0, -1), units]);
  });
}

/** The two parameters of a linear layer or a convolution. Weight decay pulls at the weight alone. */
export function weightAndBias(
  network: Network,
  shape: readonly number[],
  outputs: number,
  { initialise = fanInUniform, bias = uniform(1 / Math.sqrt(fansOf(shape).in)) }: WeightOptions,
): { readonly weight: Tensor; readonly bias: Tensor | undefined } {
  return {
    weight: network.parameter('weight', shape, initialise, { decays: true }),
    bias: bias === false ? undefined : network.parameter('bias', [outputs], bias),
  };
}
