import { randomUnderSampling } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { scaledLogPrior } from '../log-prior.js';
import { resampledRows } from './resampled-rows.js';

/**
 * PT-bagging: bags that keep the classes as common as they are, and answers by probabilities that are divided by the shares of the classes, which is moving the
 * threshold to the prior. Every class has as many rows in a bag as it has in all, so that none is missing from one.
 */
export const ptBagging = defineMethod({
  name: 'pt-bagging',
  title: 'Each network is trained on rows drawn with replacement; probabilities are divided by the class frequencies.',
  reference: 'Collell et al. 2018',
  changes: 'rows',
  options: z.strictObject({}),
  prepare: (context) => ({
    ...resampledRows(context, ({ features, labels }, seed) =>
      randomUnderSampling(features, labels, { seed, strategy: countsOf(labels), replacement: true }),
    ),
    logitShift: scaledLogPrior(context.trainingCounts, 1),
    assumedLogPrior: new Float32Array(context.classes),
  }),
});

function countsOf(labels: Int32Array): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
}
