import { z } from 'zod';
import { float32At } from '../checked-access.js';
import { defineMethod } from './define-method.js';
import { scaledLogPrior } from './log-prior.js';
import { oneHotLabels } from './one-hot-labels.js';
import { risingBeta } from './random-shares.js';

/**
 * Balanced-MixUp: an instance is mixed with one of a class that is drawn first, all classes being equally likely. That one's share λ is from Beta(α, 1), of
 * mean `α/(α + 1)`: mixtures are mostly ordinary instances with a little of a rare one.
 */
export const balancedMixup = defineMethod({
  name: 'balanced-mixup',
  title:
    'Trains on mixtures of two instances, the second from a class drawn at random, all classes being equally likely.',
  reference: 'Galdran et al. 2021',
  changes: 'labels',
  options: z.strictObject({
    alpha: z.number().min(0.05).max(4).default(0.2).describe('α: the larger, the more of the second instance'),
  }),
  prepare: (context, { alpha }) => {
    const { classes, trainingCounts, loss } = context;
    const shares = scaledLogPrior(trainingCounts, 1).map(Math.exp);
    const balanced = alpha / (alpha + 1);
    return {
      loss,
      mixing: { partners: 'balanced', share: (random) => 1 - risingBeta(alpha, random) },
      assumedLogPrior: shares.map((_, p) => Math.log((1 - balanced) * float32At(shares, p) + balanced / classes)),
      ...oneHotLabels(context),
    };
  },
});
