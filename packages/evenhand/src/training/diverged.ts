import type { Config } from '../config/schema.js';

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

/** Training left the finite numbers. Nothing was saved from then on: the last checkpoint is a good one. */
export class DivergedError extends Error {
  override readonly name = 'DivergedError';
  readonly epoch: number;
  readonly step: number;
  readonly instances: readonly (string | number)[];

  constructor({ epoch, step, what, instances }: Divergence, { model, method }: Config) {
    const advice = [
      'lower optimizer.learningRate',
      ...('enhancementRate' in method ? ['lower method.enhancementRate'] : []),
      ...(model.logitNorm ? [] : ['set model.logitNorm to true (batch normalisation before the softmax)']),
    ];
    super(
      `training diverged in epoch ${epoch + 1}, step ${step}: ${what}; expected finite numbers. The batch has the instances ` +
        `${instances.join(', ')}. Nothing of it was saved. Look for absurd values in them, or ${advice.join(', or ')}`,
    );
    this.epoch = epoch;
    this.step = step;
    this.instances = instances;
  }
}
