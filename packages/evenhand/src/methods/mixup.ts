import { z } from 'zod';
import { defineMethod } from './define-method.js';
import { oneHotLabels } from './one-hot-labels.js';
import { symmetricBeta } from './random-shares.js';

/** mixup: `λ·x_a + (1 − λ)·x_b` with the label `λ·l_a + (1 − λ)·l_b`, the two being of one batch, and λ from Beta(α, α). */
export const mixup = defineMethod({
  name: 'mixup',
  title: 'Trains on mixtures of two instances, with labels that are mixed in the same proportion.',
  reference: 'Zhang et al. 2018',
  changes: 'labels',
  options: z.strictObject({
    alpha: z.number().min(0.05).max(4).default(1).describe('α: the larger, the more even the mixtures are'),
  }),
  prepare: (context, { alpha }) => ({
    loss: context.loss,
    mixing: { partners: 'natural', share: (random) => symmetricBeta(alpha, random) },
    ...oneHotLabels(context),
  }),
});
