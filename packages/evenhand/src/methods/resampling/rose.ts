import { randomOverSampling } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { balanceOption, filledUp } from './class-sizes.js';
import { resampledRows } from './resampled-rows.js';

/** A smoothed bootstrap of the smaller classes. Categories are repeated as they are. */
export const rose = defineMethod({
  name: 'rose',
  title: 'Rows of the smaller classes are repeated with noise, as draws from a smoothed distribution.',
  reference: 'Menardi and Torelli 2014',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({
    balance: balanceOption,
    shrinkage: z
      .number()
      .min(0)
      .default(1)
      .describe('width of the noise, relative to what suits normally distributed data'),
  }),
  prepare: (context, { balance, shrinkage }) =>
    resampledRows(context, ({ features, labels }, seed) =>
      randomOverSampling(features, labels, { seed, shrinkage, strategy: filledUp(labels, balance) }),
    ),
});
