import { join } from 'node:path';
import { z } from 'zod';
import { readJsonLinesFile } from './json-file.js';
import { RUN_FILES } from './run-files.js';

const validationSchema = z.object({
  /** Mean of the soft recalls of the classes that the validation set has: the mean diagonal of S'. */
  softAccuracy: z.number(),
  /** Share of the instances whose likeliest class is the right one; of equally likely ones, the first counts. */
  accuracy: z.number(),
  /** `S'[p,p]`, the mean probability of class p over its instances; null where the validation set has none. */
  softRecall: z.array(z.number().nullable()).readonly(),
  /**
   * Mean over the classes of the mean −log p of the right class, with probabilities as they would be if all classes were equally common; a class of n
   * rows has the weight n/(n + 10).
   * Of runs with folds.
   */
  balancedLogLoss: z.number().exactOptional(),
});

/** What the network, as it is, makes of the validation set. */
export type ValidationMetrics = Readonly<z.output<typeof validationSchema>>;

const epochMetricsSchema = z.object({
  /** From 0. */
  epoch: z.int(),
  /** Mean over the epoch's steps. It may be negative with encoded labels. */
  loss: z.number(),
  /** In the epoch's first step. */
  learningRate: z.number(),
  /** After the epoch; null where nothing is held out, or no longer: instances that were trained on would flatter. */
  validation: validationSchema.nullable(),
  /** The diagonal of the generator matrix that the epoch was trained with. */
  generatorDiagonal: z.array(z.number()).readonly(),
});

/** A line of `metrics.jsonl`. The same seed gives the same bytes: there is no time in it. */
export type EpochMetrics = Readonly<z.output<typeof epochMetricsSchema>>;

/** What training measured, epoch by epoch. */
export function readMetrics(folder: string): Promise<EpochMetrics[]> {
  return readJsonLinesFile(join(folder, RUN_FILES.metrics), epochMetricsSchema);
}
