import { z } from 'zod';
import type { Checkpoint } from '../runs/checkpoint.js';

const memorySchema = z.strictObject({
  /** Of the steps of the current epoch that are done. */
  lossSum: z.number(),
  /** Of every epoch; other data or another batch size change it. */
  stepsPerEpoch: z.int().min(1).optional(),
  /** The best epoch so far, by validation soft accuracy, or with folds by balanced log-loss; of equal ones the first. */
  best: z
    .union([
      z.strictObject({ epoch: z.int().min(0), softAccuracy: z.number() }),
      z.strictObject({ epoch: z.int().min(0), balancedLogLoss: z.number() }),
    ])
    .nullable(),
  /** The first epoch in which the validation instances trained too: they never measure again, whatever is overridden. */
  givenBackFrom: z.int().min(1).optional(),
  /** Whether the time that training may take was over. */
  outOfTime: z.boolean().optional(),
});

/** What training remembers beside weights and method; kept in checkpoints. */
type TrainingMemory = z.output<typeof memorySchema>;

/** Whether an epoch is better than the best before it. */
export function isBetter(now: EpochScore, before: TrainingMemory['best']): boolean {
  if (before === null) return true;
  if ('balancedLogLoss' in now) return !('balancedLogLoss' in before) || now.balancedLogLoss < before.balancedLogLoss;
  return !('softAccuracy' in before) || now.softAccuracy > before.softAccuracy;
}

/** What epochs are compared by. */
export type EpochScore = { readonly softAccuracy: number } | { readonly balancedLogLoss: number };

/** Where training is. */
export interface Position {
  /** From 0. */
  epoch: number;
  /** Steps of this epoch that are done. */
  step: number;
  memory: TrainingMemory;
}

/**
 * Where a checkpoint was made; the beginning if there is none.
 *
 * @param stepsPerEpoch - as it is now: as large a part of the epoch is done as was done before
 */
export function positionOf(checkpoint: Checkpoint | undefined, stepsPerEpoch: number): Position {
  if (checkpoint === undefined) return { epoch: 0, step: 0, memory: { lossSum: 0, stepsPerEpoch, best: null } };
  const { epoch, step: before, training } = checkpoint.progress;
  const memory = memorySchema.parse(training);
  const { stepsPerEpoch: steps = stepsPerEpoch } = memory;
  if (before === 0 || steps === stepsPerEpoch) return { epoch, step: before, memory: { ...memory, stepsPerEpoch } };
  const step = Math.max(1, Math.floor((before * stepsPerEpoch) / steps)); // at 0 the epoch would begin, which it has
  return { epoch, step, memory: { ...memory, lossSum: (memory.lossSum * step) / before, stepsPerEpoch } };
}
