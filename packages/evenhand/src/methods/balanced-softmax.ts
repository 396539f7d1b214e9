import { z } from 'zod';
import { defineMethod } from './define-method.js';
import { adjustLogits } from './logit-adjustment.js';

/** `n_c·e^(z_c) / Σ n_q·e^(z_q)` is the softmax of `z + log n`, and so of `z + log π`: logit adjustment with τ = 1. */
export const balancedSoftmax = defineMethod({
  name: 'balanced-softmax',
  title: 'Trains with a softmax whose terms are multiplied by the class counts: logit adjustment with τ = 1.',
  reference: 'Ren et al. 2020',
  changes: 'logits',
  options: z.strictObject({}),
  prepare: (context) => adjustLogits(context, 1),
});
