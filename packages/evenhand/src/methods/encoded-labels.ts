import {
  DEFAULT_ENHANCEMENT_RATE,
  DEFAULT_UPDATING_RATE,
  type EncodingPart,
  EnhancementEncoder,
  type Schedules,
} from '@evenhand/encoding';
import { z } from 'zod';
import { UserError } from '../user-error.js';
import type { NamedContext } from './define-method.js';
import type { EpochLabels, EpochSteps } from './method.js';
import { equalWeights } from './one-hot-labels.js';
import { enhancementRateOf, enhancementRateOption, updatingRateOf, updatingRateOption } from './rate-schedule.js';

/** Options of enhancement encoding and its ablations. */
export const encodingOptions = z.strictObject({
  enhancementRate: enhancementRateOption
    .default(DEFAULT_ENHANCEMENT_RATE)
    .describe('ε: how strongly confusion changes the labels; auto: set from the measurements'),
  updatingRate: updatingRateOption
    .default(DEFAULT_UPDATING_RATE)
    .describe(
      "μ: how much each epoch's measurement changes the labels; auto: for each class, by how noisy its measurement is",
    ),
});

/**
 * The epochs of a method that encodes the labels anew before each, by the generator matrix or a part of it.
 *
 * @param classWeights - all 1 if left out
 */
export function encodedLabels(
  part: EncodingPart,
  context: NamedContext,
  options: z.output<typeof encodingOptions>,
  classWeights: readonly number[] = equalWeights(context.classes),
): EpochSteps {
  const labelsBy = (generator: Float64Array): EpochLabels => ({
    generator: Float32Array.from(generator),
    classWeights: Float32Array.from(classWeights),
  });
  return { encodesLabels: true, ...measuredEpochs(part, context, options, labelsBy) };
}

/**
 * The epochs of a method that measures confusion before each.
 *
 * @param labelsBy - what an epoch is trained with, from its generator matrix
 */
export function measuredEpochs(
  part: EncodingPart,
  context: NamedContext,
  options: z.output<typeof encodingOptions>,
  labelsBy: (generator: Float64Array) => EpochLabels,
): EpochSteps {
  const { method, classes, epochs } = context;
  // Functions, even where they are constant: a restored encoder takes its rates from the options, not from what was saved.
  const rates: Schedules = {
    enhancementRate: enhancementRateOf(options.enhancementRate, epochs),
    updatingRate: updatingRateOf(options.updatingRate, epochs),
  };
  const ratesVary = typeof options.enhancementRate !== 'number' || typeof options.updatingRate !== 'number';
  let encoder = new EnhancementEncoder({ classes, part, ...rates });

  const currentLabels = (epoch: number): EpochLabels => {
    checkEpoch(encoder.epoch, epoch + 1);
    return labelsBy(encoder.generatorMatrix);
  };
  return {
    currentLabels,
    currentRates: () => (ratesVary ? encoder.rates : undefined),
    beforeEpoch: (epoch, { labels, probabilities }) => {
      checkEpoch(encoder.epoch, epoch);
      if (labels.length === 0) {
        throw new UserError(
          `the method "${method}" measures confusion on validation instances, and there are none. ` +
            'Set some aside, a few of every class, or choose another method',
        );
      }
      encoder.observe(labels, probabilities);
      encoder.update();
      return currentLabels(epoch);
    },
    toJSON: () => encoder.toJSON(),
    restore: (saved) => {
      encoder = restoredEncoder(saved, rates, part, context);
    },
  };
}

function restoredEncoder(
  saved: unknown,
  rates: Schedules,
  part: EncodingPart,
  { method, classes }: NamedContext,
): EnhancementEncoder {
  const refused = (reason: string, cause?: unknown) =>
    new UserError(
      `the saved state is not one of the method "${method}" with ${classes} classes: ${reason}. ` +
        'Resume with the method and the data that the run was started with',
      { cause },
    );
  let restored: EnhancementEncoder;
  try {
    restored = EnhancementEncoder.fromJSON(saved, rates);
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error), error);
  }
  if (restored.part !== part) throw refused(`its part is "${restored.part}"; expected "${part}"`);
  if (restored.classes !== classes) throw refused(`it has ${restored.classes} classes`);
  return restored;
}

/** The encoder counts epochs too: every one must reach it, and once. */
function checkEpoch(counted: number, expected: number): void {
  if (counted !== expected) throw new Error(`internal: ${counted} epochs were encoded; expected ${expected}`);
}
