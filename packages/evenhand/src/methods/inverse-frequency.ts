import { z } from 'zod';
import { defineMethod } from './define-method.js';
import { weightedLogPrior } from './log-prior.js';
import { oneHotLabels } from './one-hot-labels.js';

/**
 * Weights in inverse proportion to the class frequencies, what scikit-learn calls `balanced`; with any loss. Every class has the same
 * part in the loss, however large classes are; `class-balanced` stops telling them apart above about `1/(1 − β)` instances.
 */
export const inverseFrequency = defineMethod({
  name: 'inverse-frequency',
  title: 'Class weights in inverse proportion to the class sizes, as with class_weight="balanced" in scikit-learn.',
  reference: 'King and Zeng 2001',
  changes: 'weights',
  options: z.strictObject({}),
  prepare: (context) => {
    const weights = inverseFrequencyWeights(context.trainingCounts);
    const assumedLogPrior = weightedLogPrior(context.trainingCounts, weights);
    return { loss: context.loss, assumedLogPrior, ...oneHotLabels(context, () => weights) };
  },
});

/**
 * `w_c = n/(N·n_c)` for n instances of N classes: the mean weight of the instances is 1. A class without training instances weighs 0,
 * is not counted in N, and its weight is never used.
 */
export function inverseFrequencyWeights(trainingCounts: readonly number[]): number[] {
  const present = trainingCounts.filter((count) => count > 0).length;
  const total = trainingCounts.reduce((sum, count) => sum + count, 0);
  return trainingCounts.map((count) => (count === 0 ? 0 : total / (present * count)));
}
