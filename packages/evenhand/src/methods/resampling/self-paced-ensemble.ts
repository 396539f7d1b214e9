import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { oneHotLabels } from '../one-hot-labels.js';
import { balanceOption, sharesKept } from './class-sizes.js';
import { logSharesKept } from './easy-ensemble.js';

/**
 * Self-paced ensemble. Every round of boosting under-samples the larger classes by how hard their rows are to the trees before it: at first every bin of hardness brings the same
 * hardness in all, so that most rows are easy; later ever more the same number of rows, so that the hard ones weigh. The authors average their learners; here they boost.
 */
export const selfPacedEnsemble = defineMethod({
  name: 'self-paced-ensemble',
  title: 'Every round of trees under-samples the larger classes by hardness: easy rows first, hard ones later.',
  reference: 'Liu et al. 2020',
  changes: 'rows',
  tablesOnly: true,
  treesOnly: true,
  options: z.strictObject({ balance: balanceOption }),
  prepare: (context, { balance }) => ({
    loss: context.loss,
    roundShares: sharesKept(context.trainingCounts, balance),
    roundDraw: 'self-paced',
    assumedLogPrior: logSharesKept(context.trainingCounts, balance),
    ...oneHotLabels(context),
  }),
});
