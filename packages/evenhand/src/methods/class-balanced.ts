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
  .describe(
    'β of the effective number of instances; the closer to 1, the larger the weight of rare classes. Classes with well over 1/(1 − β) instances have the same weight',
  );

/**
 * Weights from effective numbers of samples; with any loss.
 *
 * The effective number never exceeds `1/(1 − β)`: 10,000 with β = 0.9999. So the weights saturate on large classes: 4,000 instances
 * weigh about 3 times as much as 396,000 do, where `inverse-frequency` makes it 99 times.
 */
export const classBalanced = defineMethod({
  name: 'class-balanced',
  title: 'Each class has the weight (1 − β)/(1 − βⁿ), the inverse of its effective number of instances.',
  reference: 'Cui et al. 2019',
  changes: 'weights',
  options: z.strictObject({ beta: betaOption }),
  prepare: (context, { beta }) => {
    const weights = classBalancedWeights(context.trainingCounts, beta);
    const assumedLogPrior = weightedLogPrior(context.trainingCounts, weights);
    return { loss: context.loss, assumedLogPrior, ...oneHotLabels(context, () => weights) };
  },
});
