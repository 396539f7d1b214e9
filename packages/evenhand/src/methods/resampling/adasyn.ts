import { adasyn as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { balanceOption, filledUp, neighboursOption } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** ADASYN. */
export const adasyn = defineMethod({
  name: 'adasyn',
  title: 'SMOTE with more new rows where other classes are near.',
  reference: 'He et al. 2008',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({ balance: balanceOption, neighbours: neighboursOption }),
  prepare: (context, { balance, neighbours }) =>
    resampledRows(context, (rows, seed) =>
      sample(distanceSpace(rows), rows.labels, {
        seed,
        neighbours,
        lenient: true,
        strategy: filledUp(rows.labels, balance),
      }),
    ),
});
