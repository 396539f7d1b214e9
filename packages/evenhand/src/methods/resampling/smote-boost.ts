import { smote } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { oneHotLabels } from '../one-hot-labels.js';
import { balanceOption, filledUpTimes, neighboursOption } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';

/** Synthetic rows for one that a round learns from. */
const POOL = 2;

/**
 * SMOTEBoost: every round of boosting learns from other synthetic rows of the smaller classes. They are drawn anew in each from a pool of twice as many, which each member has made of
 * the rows that it may see. Gradient boosting stands where the authors have AdaBoost.M2.
 */
export const smoteBoost = defineMethod({
  name: 'smote-boost',
  title: 'Every round of trees also learns from other synthetic rows of the smaller classes, made by SMOTE.',
  reference: 'Chawla et al. 2003',
  changes: 'rows',
  tablesOnly: true,
  treesOnly: true,
  options: z.strictObject({ balance: balanceOption, neighbours: neighboursOption }),
  prepare: (context, { balance, neighbours }) => {
    const { trainingCounts } = context;
    const least = balance * Math.max(...trainingCounts);
    return {
      loss: context.loss,
      resample: (rows, seed) =>
        smote(distanceSpace(rows), rows.labels, {
          seed,
          neighbours,
          lenient: true,
          strategy: filledUpTimes(rows.labels, balance, POOL),
        }),
      roundShares: trainingCounts.map(() => 1),
      syntheticShare: 1 / POOL,
      // A class without rows has no synthetic ones either.
      assumedLogPrior: Float32Array.from(trainingCounts, (count) => Math.log(count === 0 ? 1 : Math.max(count, least))),
      ...oneHotLabels(context),
    };
  },
});
