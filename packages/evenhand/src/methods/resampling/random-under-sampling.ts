import { randomUnderSampling as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { balanceOption, cutDown } from './class-sizes.js';
import { resampledRows } from './resampled-rows.js';

/** Random under-sampling. In folds it is an ensemble: every network of the pack sees other rows of the larger classes. */
export const randomUnderSampling = defineMethod({
  name: 'random-under-sampling',
  title: 'Of the larger classes only some instances are kept, drawn at random; each network draws its own.',
  reference: 'Japkowicz and Stephen 2002',
  changes: 'rows',
  options: z.strictObject({ balance: balanceOption }),
  prepare: (context, { balance }) =>
    resampledRows(context, ({ features, labels }, seed) =>
      sample(features, labels, { seed, strategy: cutDown(labels, balance) }),
    ),
});
