import { ShapeError } from '../graph/shape.js';
import { describeType, sameShape } from '../graph/tensor.js';
import type { Model } from '../network/network.js';
import { checkSize } from './define.js';

/**
 * Networks of one kind side by side, as one: products of matrices become batched ones, so that a step of eight takes far less than
 * eight times as long. Each has weights, statistics and dropout of its own, and learns from rows of its own: what it makes of them has
 * nothing to do with the others. An exported pack answers with the mean of its networks' outputs.
 *
 * @param model - made of linear layers, norms, dropout and embeddings: `mlp` or `tabular`, of rows `[features]`
 * @param networks - how many; at least 1
 * @example
 * ```ts
 * const model = pack(createModel('mlp', { input: [30], classes: 10, hidden: [128, 64] }), 8);
 * ```
 */
export function pack(model: Model, networks: number): Model {
  checkSize('pack', 'networks', networks);
  if (model.pack !== undefined)
    throw new RangeError(`pack: ${model.name} is a pack already; expected a single network`);
  if (model.input.length !== 1) {
    throw new RangeError(
      `pack: the inputs of ${model.name} have the shape [${model.input.join(', ')}]; expected rows [features]`,
    );
  }
  return {
    ...model,
    name: `pack of ${networks} ${model.name}`,
    pack: networks,
    build: (network, x) => {
      if (network.pack !== networks) {
        throw new ShapeError(
          `pack: the Network is for ${network.pack ?? 1} networks; expected ${networks}, as the pack has`,
        );
      }
      const shared = x.rank === 2;
      if (!shared && !sameShape(x.shape.slice(0, 1), [networks])) {
        throw new ShapeError(`pack: expected float32[${networks}, rows, features], received ${describeType(x)}`);
      }
      return model.build(network, x);
    },
  };
}
