import type { LabelRows } from '@evenhand/trees';
import { float32At } from '../../checked-access.js';
import type { EpochLabels, PreparedMethod } from '../../methods/method.js';
import { UserError } from '../../user-error.js';

/**
 * What trees are taught in an epoch.
 *
 * @param classWeights - on top of those of the labels
 */
export function labelRowsOf(
  { generator, classWeights, logitOffsets }: EpochLabels,
  { addedLogits }: PreparedMethod,
  repeats: readonly number[] | undefined,
): LabelRows {
  const classes = classWeights.length;
  const offsets = generator.map((_, cell) => (addedLogits?.[cell % classes] ?? 0) + (logitOffsets?.[cell] ?? 0));
  return {
    rows: generator,
    weights: repeats === undefined ? classWeights : classWeights.map((weight, p) => weight * (repeats[p] ?? 1)),
    ...(addedLogits === undefined && logitOffsets === undefined ? {} : { offsets }),
  };
}

/**
 * The scores of the classes before the first tree: as common as trees will take the classes to be.
 *
 * @param assumedLogPrior - how common the answers take them to be
 */
export function baselineOf(assumedLogPrior: Float32Array, { logitShift }: PreparedMethod): Float32Array {
  return assumedLogPrior.map((logShare, p) => logShare + (logitShift === undefined ? 0 : float32At(logitShift, p)));
}

/**
 * Trees have no last layer that a method could change, and all members share the rows that they learn from.
 *
 * @throws {@link UserError}
 */
export function checkMethod(
  name: string,
  { classifier = 'linear', resample, roundShares, mixing, finishWeights }: PreparedMethod,
): void {
  if (mixing !== undefined) {
    throw new UserError(
      `the method "${name}" mixes the instances of every step anew, and the model "trees" learns from the same rows in all of them; ` +
        'expected another method, such as logit-adjustment, or another model',
      { options: ['method.name', 'model.name'] },
    );
  }
  if (resample !== undefined && roundShares === undefined) {
    throw new UserError(
      `the method "${name}" gives each member rows of its own, and the members of the model "trees" share theirs; ` +
        'expected another method, such as inverse-frequency, or another model',
      { options: ['method.name', 'model.name'] },
    );
  }
  if (classifier === 'linear' && finishWeights === undefined) return;
  throw new UserError(
    `the method "${name}" changes the last layer of a network, and the model "trees" has none; ` +
      'expected another method, such as logit-adjustment, or another model',
    { options: ['method.name', 'model.name'] },
  );
}
