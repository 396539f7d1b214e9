import { z } from 'zod';
import { defineMethod } from './define-method.js';
import { oneHotLabels } from './one-hot-labels.js';

/** Training as if the classes were balanced: what every other method is compared with. */
export const oneHot = defineMethod({
  name: 'one-hot',
  title: 'Plain training: one-hot labels, and the same weight for every instance.',
  reference: null,
  changes: 'nothing',
  options: z.strictObject({}),
  prepare: (context) => ({ loss: context.loss, ...oneHotLabels(context) }),
});
