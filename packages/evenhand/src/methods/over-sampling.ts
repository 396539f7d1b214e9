import { z } from 'zod';
import { defineMethod } from './define-method.js';
import { oneHotLabels } from './one-hot-labels.js';

/** Random over-sampling; `epochOrder` does it. */
export const overSampling = defineMethod({
  name: 'over-sampling',
  title: 'Instances of the smaller classes are repeated until every class is as large as the largest.',
  reference: 'Japkowicz and Stephen 2002',
  changes: 'rows',
  options: z.strictObject({}),
  prepare: (context) => ({
    loss: context.loss,
    sampling: 'balanced',
    assumedLogPrior: new Float32Array(context.classes),
    ...oneHotLabels(context),
  }),
});
