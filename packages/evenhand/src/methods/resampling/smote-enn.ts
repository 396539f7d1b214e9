import { smoteEnn as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { balanceOption, filledUp, neighboursOption } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** SMOTE, then edited nearest neighbours of all classes. */
export const smoteEnn = defineMethod({
  name: 'smote-enn',
  title: 'SMOTE, then removes rows whose three nearest neighbours disagree with them.',
  reference: 'Batista et al. 2004',
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
