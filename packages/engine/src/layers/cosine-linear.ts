import type { Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import { uniform } from '../network/initialisers.js';
import type { Network } from '../network/network.js';
import { add, div, mul } from '../operations/arithmetic.js';
import { sqrt } from '../operations/functions.js';
import { matmul } from '../operations/matmul.js';
import { sum } from '../operations/reductions.js';

/** A layer of cosines: its name and size. */
export interface CosineLinearOptions {
  readonly name: string;
  /** Cosines that come out. */
  readonly units: number;
}

/** Added to a vector's squared length: 0, which has no direction, stays 0, and nothing is divided by 0. */
const EPSILON = 1e-12;

/**
 * The cosine of the angle between an input and every unit's weights, from −1 to 1: `x/‖x‖ · W/‖W‖`, the lengths taken over
 * the features. Only directions count.
 *
 * Parameter: `weight` `[features, units]`, a column a unit.
 *
 * @param x - `[batch, features]`; in a pack `[pack, batch, features]`
 * @returns `[…, units]`
 */
export function cosineLinear(network: Network, x: Tensor, { name, units }: CosineLinearOptions): Tensor {
  return network.scope(name, () => {
    const features = axisSize(x.shape, -1);
    // Columns of length 1, on average: the longer a column, the less a step turns it.
    const weight = network.parameter('weight', [features, units], uniform(Math.sqrt(3 / features)), { decays: true });
    return matmul(unitLength(x, -1), unitLength(weight, -2));
  });
}

/** `v/‖v‖` for the vectors along an axis. */
function unitLength(vectors: Tensor, axis: number): Tensor {
  return div(vectors, sqrt(add(sum(mul(vectors, vectors), { axes: [axis], keepAxes: true }), EPSILON)));
}
