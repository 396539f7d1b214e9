import { crossEntropy, type Loss, operations } from '@evenhand/engine';
import { z } from 'zod';
import { UserError } from '../user-error.js';
import { betaOption } from './class-balanced.js';
import { classBalancedWeights } from './class-balanced-weights.js';
import { deferredEpoch } from './deferred-epoch.js';
import { defineMethod } from './define-method.js';
import { equalWeights, oneHotLabels } from './one-hot-labels.js';

/** Label-distribution-aware margins with deferred re-weighting (LDAM-DRW). */
export const ldam = defineMethod({
  name: 'ldam',
  title: 'Cosine logits, margins that are wider for rarer classes, and class-balanced weights late in training.',
  reference: 'Cao et al. 2019',
  changes: 'logits',
  options: z.strictObject({
    maxMargin: z.number().min(0).max(1).default(0.5).describe('the margin of the rarest class'),
    scale: z.number().positive().default(30).describe('s: factor of the cosines'),
    beta: betaOption,
    // See `deferredEpoch` for what it is if left out.
    reweightFrom: z
      .int()
      .min(0)
      .optional()
      .describe('the epoch, counted from 0, from which rare classes get more weight'),
  }),
  prepare: (context, { maxMargin, scale, beta, reweightFrom = deferredEpoch(context) }) => {
    const { classes, trainingCounts } = context;
    if (context.loss !== crossEntropy) {
      throw new UserError(
        'the method "ldam" is a margin inside cross-entropy and has no meaning with another loss. ' +
          'Choose cross-entropy as the loss, or another method',
      );
    }
    const weights = classBalancedWeights(trainingCounts, beta);
    return {
      loss: marginLoss(margins(trainingCounts, maxMargin), scale),
      classifier: 'cosine',
      logitScale: scale,
      ...oneHotLabels(context, (epoch) => (epoch < reweightFrom ? equalWeights(classes) : weights)),
    };
  },
});

/** `m_c ∝ n_c^(−1/4)`, the largest `maxMargin`. A class without training instances is never the true one: it has none. */
function margins(trainingCounts: readonly number[], maxMargin: number): Float32Array {
  const fewest = Math.min(...trainingCounts.filter((count) => count > 0));
  return Float32Array.from(trainingCounts, (count) => (count === 0 ? 0 : maxMargin * (fewest / count) ** 0.25));
}

/** Cross-entropy of `s·(z − m_p)` for the true class p and `s·z_q` for the others; z are cosines, labels one-hot. */
function marginLoss(margin: Float32Array, scale: number): Loss {
  return (cosines, labelRows, instanceWeights) => {
    const trueMargins = operations.mul(labelRows, cosines.graph.constant(margin));
    return crossEntropy(operations.mul(operations.sub(cosines, trueMargins), scale), labelRows, instanceWeights);
  };
}
