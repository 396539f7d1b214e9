import { identityMatrix } from '@evenhand/encoding';
import { UserError } from '../user-error.js';
import type { NamedContext } from './define-method.js';
import type { EpochLabels, EpochSteps } from './method.js';

/**
 * The epochs of methods that leave the labels one-hot and remember nothing.
 *
 * @param classWeights - of an epoch; all 1 if left out
 */
export function oneHotLabels(
  { method, classes }: NamedContext,
  classWeights: (epoch: number) => readonly number[] = () => equalWeights(classes),
): EpochSteps {
  const labelsOf = (epoch: number): EpochLabels => ({
    generator: Float32Array.from(identityMatrix(classes)),
    classWeights: Float32Array.from(classWeights(epoch)),
  });
  return {
    beforeEpoch: labelsOf,
    currentLabels: labelsOf,
    toJSON: () => null,
    restore: (saved) => {
      if (saved === null) return;
      throw new UserError(
        `the saved state is not one of the method "${method}", which remembers nothing: expected null. ` +
          'Resume with the method that the run was started with',
      );
    },
  };
}

/** Every class weighs 1. */
export function equalWeights(classes: number): number[] {
  return Array.from({ length: classes }, () => 1);
}
