import { z } from 'zod';
import { defineMethod } from './define-method.js';
import { scaledLogPrior, tauOption } from './log-prior.js';
import { oneHotLabels } from './one-hot-labels.js';

/** Plain training; predictions are made from `z − τ·log π`. */
export const postHocLogitAdjustment = defineMethod({
  name: 'post-hoc-logit-adjustment',
  title: 'Plain training; in prediction, τ·log π is subtracted from the logits, where π are the class frequencies.',
  reference: 'Menon et al. 2021',
  changes: 'answers',
  options: z.strictObject({ tau: tauOption }),
  prepare: (context, { tau }) => ({
    loss: context.loss,
    logitShift: scaledLogPrior(context.trainingCounts, tau),
    assumedLogPrior: scaledLogPrior(context.trainingCounts, 1 - tau),
    ...oneHotLabels(context),
  }),
});
