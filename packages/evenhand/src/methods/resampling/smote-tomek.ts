import { smoteTomek as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { balanceOption, filledUp, neighboursOption } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** SMOTE, then Tomek links of all classes. */
export const smoteTomek = defineMethod({
  name: 'smote-tomek',
  title: 'SMOTE, then removes Tomek links: pairs of nearest rows of different classes.',
  reference: 'Batista et al. 2003',
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
