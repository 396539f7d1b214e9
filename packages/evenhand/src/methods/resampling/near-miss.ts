import { nearMiss as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { balanceOption, cutDown, neighboursOption } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** NearMiss. */
export const nearMiss = defineMethod({
  name: 'near-miss',
  title: 'Keeps those rows of the larger classes that are nearest to the smallest class.',
  reference: 'Mani and Zhang 2003',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({
    balance: balanceOption,
    neighbours: neighboursOption.default(3),
    version: z
      .literal([1, 2, 3])
      .default(1)
      .describe(
        'which rows are kept: 1: those nearest to their nearest rows of the smallest class; 2: to their farthest rows of it; 3: of its neighbours, those farthest from it',
      ),
  }),
  prepare: (context, { balance, neighbours, version }) =>
    resampledRows(context, (rows) =>
      sample(distanceSpace(rows), rows.labels, {
        version,
        neighbours,
        lenient: true,
        strategy: cutDown(rows.labels, balance),
      }),
    ),
});
