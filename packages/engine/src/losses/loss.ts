import type { Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { describeType, sameShape } from '../graph/tensor.js';
import { mul } from '../operations/arithmetic.js';
import { sum } from '../operations/reductions.js';
import { reshape } from '../operations/reshape.js';

/**
 * A loss: from logits and label rows, both `[batch, classes]`, a scalar, the mean over the batch.
 *
 * Label rows are general: entries may be negative or above 1, and a row need not sum to 1. The loss may then be below
 * zero, which is right.
 *
 * @param instanceWeights - `[batch]`: what each instance's loss is multiplied by. The mean still divides by the size of
 *   the batch, not by the sum of the weights.
 * @param context - what else a loss of one's own may look at; the engine's need none of it
 */
export type Loss = (logits: Tensor, labelRows: Tensor, instanceWeights?: Tensor, context?: LossContext) => Tensor;

/** What a program tells its loss beside logits and labels. */
export interface LossContext {
  /** What the classifier takes, `[batch, features]`; in a pack `[pack, batch, features]`. Of models that the engine defines. */
  readonly features?: Tensor;
  /** A scalar, where the program is fed one as `lossBlend`. */
  readonly blend?: Tensor;
}

/** Makes a {@link Loss} of a function that gives the terms `[batch, classes]` whose sum over classes is an instance's loss. */
export function meanLoss(
  name: string,
  /** Of each instance, up to the factor. */
  terms: (logits: Tensor, labelRows: Tensor) => Tensor,
  /** What the sum of the terms is multiplied by. */
  factor: (classes: number) => number,
): Loss {
  return (logits, labelRows, instanceWeights) =>
    logits.graph.scope(name, () => {
      checkRows(name, logits, labelRows);
      const [batch, classes] = [axisSize(logits.shape, 0), axisSize(logits.shape, 1)];
      const every = terms(logits, labelRows);
      const weighted = instanceWeights === undefined ? every : mul(every, reshape(instanceWeights, [batch, 1]));
      return mul(sum(weighted), factor(classes) / batch);
    });
}

function checkRows(name: string, logits: Tensor, labelRows: Tensor): void {
  if (logits.rank !== 2 || !sameShape(logits.shape, labelRows.shape)) {
    throw new ShapeError(
      `${name}: expected logits and label rows of one shape [batch, classes], received ${describeType(logits)} and ` +
        describeType(labelRows),
    );
  }
}
