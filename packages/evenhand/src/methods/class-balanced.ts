import { z } from 'zod';
import { classBalancedWeights } from './class-balanced-weights.js';
import { defineMethod } from './define-method.js';
import { weightedLogPrior } from './log-prior.js';
import { oneHotLabels } from './one-hot-labels.js';

/** β of the effective number of samples, `(1 − βⁿ)/(1 − β)`. */
export const betaOption = z
  .number()
  .min(0)
  .lt(1)
  .default(0.9999)
  .describe('β of the effective number of instances; the nearer to 1, the more rare classes weigh');

/** Weights from effective numbers of samples; with any loss. */
export const classBalanced = defineMethod({
  name: 'class-balanced',
  title: 'Each class weighs the inverse of its effective number of instances, (1 − β)/(1 − βⁿ).',
  reference: 'Cui et al. 2019',
  options: z.strictObject({ beta: betaOption }),
  prepare: (context, { beta }) => {
    const weights = classBalancedWeights(context.trainingCounts, beta);
    const assumedLogPrior = weightedLogPrior(context.trainingCounts, weights);
    return { loss: context.loss, assumedLogPrior, ...oneHotLabels(context, () => weights) };
  },
});
