import type { Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import type { Network } from '../network/network.js';
import { add } from '../operations/arithmetic.js';
import { reshape } from '../operations/reshape.js';

/** Every instance as one row: `[N, …]` becomes `[N, features]`. A pack's are rows already. */
export function flatten(network: Network, x: Tensor, { name = 'flatten' } = {}): Tensor {
  if (network.pack !== null) return x;
  const batch = axisSize(x.shape, 0);
  return network.scope(name, () => reshape(x, [batch, x.size / batch]));
}

/** A block whose input is added to its output again. */
export interface ResidualOptions {
  readonly name: string;
  /** The layers that are gone around. */
  readonly branch: (x: Tensor) => Tensor;
  /** How the input gets the output's shape. @defaultValue as it is */
  readonly shortcut?: (x: Tensor) => Tensor;
}

/** `branch(x) + shortcut(x)` */
export function residual(
  network: Network,
  x: Tensor,
  { name, branch, shortcut = (input) => input }: ResidualOptions,
): Tensor {
  return network.scope(name, () => add(branch(x), shortcut(x)));
}
