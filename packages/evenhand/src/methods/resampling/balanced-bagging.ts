import { randomUnderSampling } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { resampledRows } from './resampled-rows.js';

/** Balanced bagging, of the networks of a pack: each has a bag of its own. A single network has a single bag. */
export const balancedBagging = defineMethod({
  name: 'balanced-bagging',
  title: 'Each network is trained on a bag: as many rows of every class as the smallest has, drawn with replacement.',
  reference: 'Hido et al. 2009',
  changes: 'rows',
  options: z.strictObject({}),
  prepare: (context) =>
    resampledRows(context, ({ features, labels }, seed) =>
      randomUnderSampling(features, labels, { seed, strategy: 'all', replacement: true }),
    ),
});
