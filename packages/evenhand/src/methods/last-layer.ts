import { type LossContext, operations, type Tensor } from '@evenhand/engine';
import { at } from '../checked-access.js';

/** What a loss sees of the last layer of each network, as constants to the gradient. */
export interface LastLayer {
  /** Networks of a pack; 1 of a single one. */
  readonly networks: number;
  /** Instances of each. */
  readonly batch: number;
  /** h: what the layer takes, `[networks, batch, features]`. */
  readonly features: Tensor;
  /** `p − y`: the softmax of what it gives, without the label rows, `[networks, batch, classes]`. */
  readonly errors: Tensor;
}

/** Takes the last layer apart, network by network. */
export function lastLayerOf(logits: Tensor, labelRows: Tensor, context: LossContext | undefined): LastLayer {
  const { features } = context ?? {};
  if (features === undefined) throw new Error('internal: the model does not say what its classifier takes');
  const networks = features.rank === 3 ? at(features.shape, 0) : 1;
  const batch = at(logits.shape, 0) / networks;
  const ofEach = (rows: Tensor) =>
    operations.reshape(operations.stopGradient(rows), [networks, batch, rows.size / (networks * batch)]);
  return {
    networks,
    batch,
    features: ofEach(features),
    errors: ofEach(operations.sub(operations.softmax(logits), labelRows)),
  };
}
