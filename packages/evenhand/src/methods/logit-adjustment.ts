import { operations } from '@evenhand/engine';
import { z } from 'zod';
import { defineMethod, type NamedContext } from './define-method.js';
import { scaledLogPrior, tauOption } from './log-prior.js';
import type { PreparedMethod } from './method.js';
import { oneHotLabels } from './one-hot-labels.js';

/** The logit-adjusted loss: any loss of `z + τ·log π` instead of the logits z. Predictions are made from z itself. */
export const logitAdjustment = defineMethod({
  name: 'logit-adjustment',
  title: 'Trains with τ·log π added to the logits, so that they learn what the class frequencies π do not explain.',
  reference: 'Menon et al. 2021',
  changes: 'logits',
  options: z.strictObject({ tau: tauOption }),
  prepare: (context, { tau }) => adjustLogits(context, tau),
});

/** A method that trains with adjusted logits. */
export function adjustLogits(context: NamedContext, tau: number): PreparedMethod {
  const logPrior = scaledLogPrior(context.trainingCounts, tau);
  return {
    loss: (logits, labelRows, instanceWeights) =>
      context.loss(operations.add(logits, logits.graph.constant(logPrior)), labelRows, instanceWeights),
    addedLogits: logPrior,
    assumedLogPrior: scaledLogPrior(context.trainingCounts, 1 - tau),
    ...oneHotLabels(context),
  };
}
