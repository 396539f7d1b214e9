import { z } from 'zod';
import { UserError } from '../user-error.js';
import type { NamedContext } from './define-method.js';
import type { EpochLabels, EpochSteps, Observation } from './method.js';

/** What is known when an epoch begins. */
export interface EpochBeginning {
  /** From 0. */
  readonly epoch: number;
  readonly observation: Observation;
}

/**
 * The epochs of a method that computes some numbers anew before each: from what is observed, and from the numbers before.
 *
 * @param first - the numbers before the first epoch
 * @param next - those of an epoch
 * @param labelsBy - what an epoch is trained with
 */
export function rememberedEpochs(
  { method }: NamedContext,
  first: readonly number[],
  next: (before: readonly number[], beginning: EpochBeginning) => readonly number[],
  labelsBy: (numbers: readonly number[]) => EpochLabels,
): EpochSteps {
  const schema = z.strictObject({ epochs: z.int().min(0), numbers: z.array(z.number()).length(first.length) });
  let state: z.output<typeof schema> = { epochs: 0, numbers: [...first] };
  const currentLabels = (epoch: number): EpochLabels => {
    checkEpoch(state.epochs, epoch + 1);
    return labelsBy(state.numbers);
  };
  return {
    currentLabels,
    beforeEpoch: (epoch, observation) => {
      checkEpoch(state.epochs, epoch);
      if (observation.labels.length === 0) {
        throw new UserError(
          `the method "${method}" measures on validation instances, and there are none. ` +
            'Set some aside, a few of every class, or choose another method',
        );
      }
      state = { epochs: epoch + 1, numbers: [...next(state.numbers, { epoch, observation })] };
      return currentLabels(epoch);
    },
    toJSON: () => state,
    restore: (saved) => {
      const { data, error } = schema.safeParse(saved);
      if (error === undefined) {
        state = data;
        return;
      }
      throw new UserError(
        `the saved state is not one of the method "${method}": ${error.issues[0]?.message}. ` +
          'Resume with the method and the data that the run was started with',
      );
    },
  };
}

/** Every epoch must reach it, and once. */
function checkEpoch(counted: number, expected: number): void {
  if (counted !== expected) throw new Error(`internal: ${counted} epochs were begun; expected ${expected}`);
}
