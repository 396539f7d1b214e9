import { identityMatrix } from '@evenhand/encoding';
import { z } from 'zod';
import { float64At } from '../checked-access.js';
import { defineMethod } from './define-method.js';
import { encodingOptions, measuredEpochs } from './encoded-labels.js';
import { scaledLogPrior, tauOption } from './log-prior.js';
import { equalWeights } from './one-hot-labels.js';

/**
 * The dual of enhancement encoding: any loss of `z + ε·c_p + τ·log π`, the costs smoothed over the epochs as the generator matrix is. Labels stay
 * one-hot. A class has a margin against those that it is mistaken for; unlike an encoded label, it stops pulling once the margin is there.
 */
export const confusionMargins = defineMethod({
  name: 'confusion-margins',
  title: 'Trains with margins between classes that are confused: the costs and τ·log π are added to the logits.',
  reference: 'Zhao 2022',
  changes: 'logits',
  measures: true,
  options: z.strictObject({ ...encodingOptions.shape, tau: tauOption }),
  prepare: (context, { tau, ...rates }) => {
    const { classes, trainingCounts, loss } = context;
    const identity = identityMatrix(classes);
    const logPrior = scaledLogPrior(trainingCounts, tau);
    return {
      loss,
      assumedLogPrior: scaledLogPrior(trainingCounts, 1 - tau),
      offsetsLogits: true,
      ...measuredEpochs('full', context, rates, (generator) => ({
        generator: Float32Array.from(identity),
        classWeights: Float32Array.from(equalWeights(classes)),
        // G smooths I − ε·C, so that I − G is the smoothed ε·C.
        logitOffsets: Float32Array.from(
          generator,
          (entry, i) => float64At(identity, i) - entry + (logPrior[i % classes] ?? 0),
        ),
      })),
    };
  },
});
