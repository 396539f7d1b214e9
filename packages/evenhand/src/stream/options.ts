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
  target: z.string().min(1).describe('the column of classes'),
  id: z.string().min(1).exactOptional().describe('the column that tells rows apart, for labels that come later'),
  method: z
    .enum(STREAM_METHODS)
    .default('logit-adjustment')
    .describe(`what is done about imbalance: ${STREAM_METHODS.join(', ')}`),
  enhancementRate: rate
    .default('auto')
    .describe(
      'ε of enhancement: how strongly confusion changes the labels; auto: such that the mean push stays the same',
    ),
  updatingRate: z
    .union([z.number().min(0).max(1), z.literal('auto')], { error: 'Expected a number from 0 to 1, or "auto"' })
    .default('auto')
    .describe(
      'μ of enhancement: how much each refresh changes the labels; auto: by how many rows a class was measured',
    ),
  tau: z.number().min(0).default(1).describe('τ of logit adjustment: how strongly class shares shift the logits'),
  batch: rows.default(32).describe('labelled rows per learning step; every row is predicted at once'),
  replay: z
    .int()
    .min(0)
    .exactOptional()
    .describe('rows per step that are learned from again (default a quarter of batch; none with bagging)'),
  reservoir: rows.default(100).describe('rows of each class that are kept for replay'),
  refresh: rows.default(100).describe('labelled rows after which label rows, weights and shares are computed anew'),
  hidden: z.array(rows).default([64]).describe('units of the hidden layers'),
  learningRate: z.number().gt(0).default(0.003).describe("Adam's learning rate"),
  weightDecay: z.number().min(0).default(0.01).describe('weight decay'),
  members: rows.default(10).describe('networks of over-bagging and under-bagging'),
  categories: rows.default(32).describe('categories of a column that are told apart; later ones count as missing'),
  labelWindow: rows.default(10_000).describe('rows that a late label is looked for among'),
  scaleMemory: rows.default(5000).describe('rows after which a row weighs 1/e in the scale of a number column'),
  shareMemory: rows.default(2000).describe('labelled rows after which a row weighs 1/e in the class shares'),
  confusionMemory: rows.default(200).describe('rows of its class after which a row weighs 1/e in the confusion matrix'),
  drift: z
    .enum(DRIFT_DETECTORS)
    .default('recall')
    .describe(`what notices a change: ${DRIFT_DETECTORS.join(', ')}`),
  fading: z.number().gt(0).max(1).default(0.999).describe('what a row counts in the metrics beside the one after it'),
  window: rows.default(1000).describe('rows of the windowed metrics'),
  seed: z.int().default(0).describe('decides everything that is random'),
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
