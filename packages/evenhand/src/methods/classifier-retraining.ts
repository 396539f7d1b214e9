import { z } from 'zod';
import { defineMethod } from './define-method.js';
import { oneHotLabels } from './one-hot-labels.js';

/**
 * Classifier re-training (cRT). Plain training finds good features of frequent and rare classes alike, and a last layer that prefers the frequent ones. So that
 * layer alone is trained again, from its first values, with every class drawn equally often and a learning rate that falls along half a cosine. Running
 * statistics of batch norms go on with it: the new layer then knows its inputs as they will be normalised.
 */
export const classifierRetraining = defineMethod({
  name: 'classifier-retraining',
  title: 'Plain training; then the last layer alone is trained anew, every class being drawn equally often.',
  reference: 'Kang et al. 2020',
  changes: 'answers',
  options: z.strictObject({
    retrainingEpochs: z.int().min(1).default(10).describe('number of epochs that the last layer is trained anew for'),
  }),
  prepare: (context, { retrainingEpochs }) => ({
    loss: context.loss,
    logitNorm: false,
    retrainingEpochs,
    assumedLogPrior: new Float32Array(context.classes),
    ...oneHotLabels(context),
  }),
});
