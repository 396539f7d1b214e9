import type { LearnerConfig } from '../config/schema.js';

/** Where training went wrong. */
export interface Divergence {
  /** From 0; people read it from 1. */
  readonly epoch: number;
  /** Counted from the start of training. */
  readonly step: number;
  /** What is not a finite number, with its value. */
  readonly what: string;
  /** The instances of the step, as a person finds them: row numbers or image files. */
  readonly instances: readonly (string | number)[];
}

/** A number in training became infinite or NaN. Nothing was saved from then on: the last checkpoint is a good one. */
export class DivergedError extends Error {
  override readonly name = 'DivergedError';

  constructor(
    message: string,
    readonly divergence: Divergence,
    /** Options of the configuration to change, dotted. */
    readonly options: readonly string[],
  ) {
    super(message);
  }
}

/** Says where training went wrong, and what to try. */
export function divergedError(divergence: Divergence, { model, method }: LearnerConfig): DivergedError {
  const { epoch, step, what, instances } = divergence;
  const lower = ['optimizer.learningRate', ...('enhancementRate' in method ? ['method.enhancementRate'] : [])];
  const advice = [
    ...lower.map((option) => `lower ${option}`),
    ...(!('logitNorm' in model) || model.logitNorm
      ? []
      : ['set model.logitNorm to true (batch normalisation before the softmax)']),
  ];
  return new DivergedError(
    `training diverged in epoch ${epoch + 1}, step ${step}: ${what}; expected finite numbers. The batch has the instances ` +
      `${instances.join(', ')}. Nothing of it was saved. Look for absurd values in them, or ${advice.join(', or ')}`,
    divergence,
    lower,
  );
}
