import { UserError } from 'evenhand';
import { describeIssue, faultsOf } from 'evenhand/config';
import { readJsonLines } from 'evenhand/files';
import { z } from 'zod';
import { LOSS_NAMES, SETTING_NAMES } from '../tables/tables.js';
import { codeShape } from './code-version.js';

const share = z.number().min(0).max(1);

const tuningLineSchema = z.object({
  setting: z.enum(SETTING_NAMES),
  loss: z.enum(LOSS_NAMES),
  method: z.object({
    name: z.string(),
    /** ε */
    enhancementRate: z.union([z.number().min(0), z.literal('auto')]).exactOptional(),
    /** μ */
    updatingRate: z.union([z.number().min(0).max(1), z.literal('auto')]).exactOptional(),
  }),
  recipe: z.object({
    optimizer: z.string().exactOptional(),
    learningRate: z.number().gt(0),
    weightDecay: z.number().min(0),
    batchSize: z.int().min(1),
    epochs: z.int().min(1),
    /** Pixels by which training images are shifted at most. */
    padding: z.int().min(1).exactOptional(),
    /** Height and width of images that have no size of their own. */
    imageSize: z.int().min(1).exactOptional(),
  }),
  /**
   * What it was measured on: the validation images, from which enhancement learns too, or others of the training part that neither
   * training nor the method saw.
   */
  images: z.enum(['validation', 'held-out']).default('validation'),
  /** Which of the training part they are. */
  draw: z.int().min(0),
  accuracy: share,
  softAccuracy: share.exactOptional(),
  /** All that decides what was trained and measured, but the draw; runs of today are known by it. */
  configHash: z.string().exactOptional(),
  /** How training ended, where it diverged; its accuracy counts as 0. */
  diverged: z.string().exactOptional(),
  ...codeShape,
});

/** A training run that was made to choose a recipe, or ε and μ. All numbers are of images out of the training part. */
export type TuningLine = z.output<typeof tuningLineSchema>;

/** Checks a line that another process measured. */
export function tuningLine(line: object): TuningLine {
  return tuningLineSchema.parse(line);
}

/**
 * The lines of a file of tuning runs.
 *
 * @throws {@link UserError} that names the line which is none
 */
export async function readTuningLines(file: string): Promise<TuningLine[]> {
  return (await readJsonLines(file)).map((line, i) => {
    const result = tuningLineSchema.safeParse(line, { error: describeIssue });
    if (result.success) return result.data;
    throw new UserError(
      `${file}: line ${i + 1} is not the result of a tuning run: ${faultsOf(result.error, line)[0]}. Correct or remove it`,
    );
  });
}
