import { randomUnderSampling as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { balanceOption, cutDown } from './class-sizes.js';
import { resampledRows } from './resampled-rows.js';

/**
 * Random under-sampling. In folds it is an ensemble: every network of the pack sees other rows of the larger classes. With boosted trees the rows are drawn anew
 * in every round, as in RUSBoost (Seiffert et al. 2010).
 */
export const randomUnderSampling = defineMethod({
  name: 'random-under-sampling',
  title: 'Keeps only a random part of the larger classes; each network, or round of trees, draws its own.',
  reference: 'Japkowicz and Stephen 2002',
  changes: 'rows',
  options: z.strictObject({ balance: balanceOption }),
  prepare: (context, { balance }) => {
    const smallest = Math.min(...context.trainingCounts.filter((count) => count > 0));
    return {
      ...resampledRows(context, ({ features, labels }, seed) =>
        sample(features, labels, { seed, strategy: cutDown(labels, balance) }),
      ),
      roundShares: context.trainingCounts.map((count) => Math.min(1, smallest / (balance * Math.max(1, count)))),
    };
  },
});
