import { DeviceError, StateError } from '@evenhand/engine';
import { Trainer } from '@evenhand/engine/node';
import type { Checkpoint } from '../runs/checkpoint.js';
import { UserError } from '../user-error.js';
import type { TrainingSetup } from './set-up.js';

/** Starts what computes, with the initial weights. */
export async function startTrainer({ program, config: { threads, device } }: TrainingSetup): Promise<Trainer> {
  try {
    return await Trainer.start(program, { threads, device });
  } catch (error) {
    if (error instanceof DeviceError)
      throw new UserError(`device: ${error.message}`, { cause: error, options: ['device'] });
    throw error;
  }
}

/** Puts method and trainer where a checkpoint was made. */
export async function goOnFrom(
  { state, progress }: Checkpoint,
  { method }: TrainingSetup,
  trainer: Trainer,
  folder: string,
): Promise<void> {
  method.restore(progress.method);
  try {
    await trainer.load(state);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new UserError(`the checkpoint of ${folder} does not fit the model: ${error.message}`, { cause: error });
  }
}
