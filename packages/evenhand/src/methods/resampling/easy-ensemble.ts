import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { oneHotLabels } from '../one-hot-labels.js';
import { balanceOption, sharesKept } from './class-sizes.js';

/**
 * EasyEnsemble: an ensemble of ensembles. Each member of trees, one per fold, has a bag of its own, in which the larger classes are under-sampled, and boosts on it in all
 * rounds; the members' probabilities are averaged. Gradient boosting stands where the authors have AdaBoost.
 */
export const easyEnsemble = defineMethod({
  name: 'easy-ensemble',
  title: 'Each member of trees boosts on a bag of its own, in which the larger classes are under-sampled.',
  reference: 'Liu et al. 2009',
  changes: 'rows',
  tablesOnly: true,
  treesOnly: true,
  options: z.strictObject({ balance: balanceOption }),
  prepare: (context, { balance }) => ({
    loss: context.loss,
    roundShares: sharesKept(context.trainingCounts, balance),
    roundDraw: 'once',
    assumedLogPrior: logSharesKept(context.trainingCounts, balance),
    ...oneHotLabels(context),
  }),
});

/** How common classes are after under-sampling: the logarithms of their numbers. A class without rows counts as one with 1. */
export function logSharesKept(trainingCounts: readonly number[], balance: number): Float32Array {
  const shares = sharesKept(trainingCounts, balance);
  return Float32Array.from(trainingCounts, (count, p) => Math.log(Math.max(1, count) * (shares[p] ?? 1)));
}
