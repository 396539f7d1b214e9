import { borderlineSmote as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { balanceOption, filledUp, neighboursOption } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** Borderline-SMOTE. A class without a border stays as it is. */
export const borderlineSmote = defineMethod({
  name: 'borderline-smote',
  title: 'SMOTE, but only from rows at the border of their class.',
  reference: 'Han et al. 2005',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({
    balance: balanceOption,
    neighbours: neighboursOption,
    variant: z
      .literal([1, 2])
      .default(1)
      .describe(
        '1: new rows lie towards rows of the same class; 2: also towards other classes, at most half of the way',
      ),
  }),
  prepare: (context, { balance, neighbours, variant }) =>
    resampledRows(context, (rows, seed) =>
      sample(distanceSpace(rows), rows.labels, {
        seed,
        neighbours,
        variant,
        lenient: true,
        strategy: filledUp(rows.labels, balance),
      }),
    ),
});
