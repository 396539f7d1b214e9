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
 * Why trees cannot be trained by a method; undefined if they can. They have no last layer that it could change, and all members share the rows
 * that they learn from.
 */
export function whyNotForTrees(name: string, method: PreparedMethod): string | undefined {
  const { classifier = 'linear', resample, roundShares, mixing, finishWeights, retrainingEpochs } = method;
  if (mixing !== undefined)
    return `the method "${name}" mixes the instances of every step anew, and trees learn from the same rows in all rounds`;
  if (resample !== undefined && roundShares === undefined)
    return `the method "${name}" gives each member rows of its own, and the members of trees share theirs`;
  if (method.blendsLoss === true || method.guided === true)
    return `the method "${name}" looks at the last hidden layer of a network, and trees have none`;
  if (classifier === 'linear' && finishWeights === undefined && retrainingEpochs === undefined) return undefined;
  return `the method "${name}" changes the last layer of a network, and trees have none`;
}

/** @throws {@link UserError} if trees cannot be trained by a method */
export function checkMethod(name: string, method: PreparedMethod): void {
  const why = whyNotForTrees(name, method);
  if (why === undefined) return;
  throw new UserError(`${why}; expected another method, such as logit-adjustment, or another model than "trees"`, {
    options: ['method.name', 'model.name'],
  });
}
