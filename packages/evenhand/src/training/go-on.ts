import { StateError } from '@evenhand/engine';
import type { Checkpoint } from '../runs/checkpoint.js';
import { UserError } from '../user-error.js';
import type { Learner } from './learners/learner.js';
import type { TrainingSetup } from './set-up.js';

/** Puts method and learner where a checkpoint was made. */
export async function goOnFrom(
  { state, progress }: Checkpoint,
  { method }: TrainingSetup,
  learner: Learner,
  folder: string,
): Promise<void> {
  method.restore(progress.method);
  try {
    await learner.load(state);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new UserError(`the checkpoint of ${folder} does not fit the model: ${error.message}`, { cause: error });
  }
}
