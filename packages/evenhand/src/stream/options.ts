import { z } from 'zod';
import { UserError } from '../user-error.js';
import { describeIssue, faultsOf } from '../wording/schema-faults.js';

/** How a stream can be learned from; the first one is the default. */
export const STREAM_METHODS = [
  'logit-adjustment',
  'enhancement',
  'balanced-enhancement',
  'class-weights',
  'one-hot',
  'over-bagging',
  'under-bagging',
] as const;

/** What notices a change. */
export const DRIFT_DETECTORS = ['recall', 'adwin', 'page-hinkley', 'none'] as const;

const rows = z.int().min(1);
const rate = z.union([z.number().min(0), z.literal('auto')], { error: 'Expected a number from 0, or "auto"' });

/** The options of a learner, with their defaults. */
export const streamOptionsSchema = z.strictObject({
  target: z.string().min(1).describe('the column with the classes'),
  id: z.string().min(1).exactOptional().describe('the column that identifies rows, for labels that come later'),
  method: z
    .enum(STREAM_METHODS)
    .default('logit-adjustment')
    .describe(`how to deal with imbalance: ${STREAM_METHODS.join(', ')}`),
  enhancementRate: rate
    .default('auto')
    .describe('ε of enhancement: how strongly confusion changes the labels; auto: keeps the mean push constant'),
  updatingRate: z
    .union([z.number().min(0).max(1), z.literal('auto')], { error: 'Expected a number from 0 to 1, or "auto"' })
    .default('auto')
    .describe(
      'μ of enhancement: how much each refresh changes the labels; auto: depends on how many rows a class was measured on',
    ),
  tau: z
    .number()
    .min(0)
    .default(1)
    .describe('τ of logit adjustment: how strongly the class frequencies shift the logits'),
  batch: rows.default(32).describe('labelled rows per learning step; every row is predicted immediately'),
  replay: z
    .int()
    .min(0)
    .exactOptional()
    .describe('kept rows per step that are learned from again (default a quarter of batch; none with bagging)'),
  reservoir: rows.default(100).describe('rows of each class that are kept for replay'),
  refresh: rows
    .default(100)
    .describe('labelled rows after which labels, class weights and class frequencies are updated'),
  hidden: z.array(rows).default([64]).describe('units of the hidden layers'),
  learningRate: z.number().gt(0).default(0.003).describe("Adam's learning rate"),
  weightDecay: z.number().min(0).default(0.01).describe('weight decay'),
  members: rows.default(10).describe('networks of over-bagging and under-bagging'),
  categories: rows.default(32).describe('number of categories per column; later ones count as missing'),
  labelWindow: rows.default(10_000).describe('how many of the last rows a late label may belong to'),
  scaleMemory: rows
    .default(5000)
    .describe('rows after which the weight of a row has fallen to 1/e, in the standardisation of numbers'),
  shareMemory: rows
    .default(2000)
    .describe('labelled rows after which the weight of a row has fallen to 1/e, in the class frequencies'),
  confusionMemory: rows
    .default(200)
    .describe('rows of its class after which the weight of a row has fallen to 1/e, in the confusion matrix'),
  drift: z
    .enum(DRIFT_DETECTORS)
    .default('recall')
    .describe(`how drift is detected: ${DRIFT_DETECTORS.join(', ')}`),
  fading: z
    .number()
    .gt(0)
    .max(1)
    .default(0.999)
    .describe('weight of a row in the metrics, relative to the row after it'),
  window: rows.default(1000).describe('rows of the windowed metrics'),
  seed: z.int().default(0).describe('seed of everything random'),
});

/** How a learner is set; all but `target` has a default. */
export type StreamOptionsInput = z.input<typeof streamOptionsSchema>;

/** The same, complete. */
export type StreamOptions = z.output<typeof streamOptionsSchema>;

/**
 * Checks options and fills in the defaults.
 *
 * @throws {@link UserError} with every fault
 */
export function parseStreamOptions(given: unknown, source = 'the options of the stream'): StreamOptions {
  const result = streamOptionsSchema.safeParse(given, { error: describeIssue });
  if (result.success) return result.data;
  throw new UserError(`${source}: ${faultsOf(result.error, given).join('; ')}`);
}

/** Rows per step that come from the reservoir. Bags have their own way to repeat rows. */
export function replayOf(options: StreamOptions): number {
  return options.replay ?? (isBagging(options) ? 0 : Math.ceil(options.batch / 4));
}

/** Whether several networks learn, each from its own draw of the rows. */
export function isBagging({ method }: StreamOptions): boolean {
  return method === 'over-bagging' || method === 'under-bagging';
}
