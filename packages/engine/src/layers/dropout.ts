import type { Tensor } from '../graph/graph.js';
import type { Network } from '../network/network.js';
import { dropout } from '../operations/dropout.js';

/** How {@link dropoutLayer} is set. */
export interface DropoutOptions {
  /** @defaultValue `dropout` */
  readonly name?: string;
  /** Share of the activations that are set to 0, from 0 to below 1. */
  readonly rate: number;
}

/** Sets random activations to 0 and scales the others by 1/(1 − rate), in training; in inference all pass as they are. */
export function dropoutLayer(network: Network, x: Tensor, { name = 'dropout', rate }: DropoutOptions): Tensor {
  return network.scope(name, () => {
    const { mode, randomKey, graph } = network;
    if (!(rate >= 0 && rate < 1)) {
      throw new RangeError(`${graph.scopeName}: rate is ${rate}; expected a number from 0 to below 1`);
    }
    if (mode === 'inference' || rate === 0) return x;
    if (randomKey === null) {
      throw new TypeError(
        `${graph.scopeName}: dropout at rate ${rate} needs random numbers, but the network has no randomKey; ` +
          'give `new Network(graph, mode, randomKey)` an int64 scalar that differs at every step, or use rate 0',
      );
    }
    return dropout(x, rate, randomKey);
  });
}
