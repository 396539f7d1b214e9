import { z } from 'zod';
import type { Checkpoint } from '../runs/checkpoint.js';

const memorySchema = z.strictObject({
  /** Of the steps of the current epoch that are done. */
  lossSum: z.number(),
  /** The best epoch so far, by validation soft accuracy; of equal ones the first. */
  best: z.strictObject({ epoch: z.int().min(0), softAccuracy: z.number() }).nullable(),
});

/** What training remembers beside weights and method; kept in checkpoints. */
type TrainingMemory = z.output<typeof memorySchema>;

/** Where training is. */
export interface Position {
  /** From 0. */
  epoch: number;
  /** Steps of this epoch that are done. */
  step: number;
  memory: TrainingMemory;
}

/** Where a checkpoint was made; the beginning if there is none. */
export function positionOf(checkpoint: Checkpoint | undefined): Position {
  if (checkpoint === undefined) return { epoch: 0, step: 0, memory: { lossSum: 0, best: null } };
  const { epoch, step, training } = checkpoint.progress;
  return { epoch, step, memory: memorySchema.parse(training) };
}
