import { nearMiss as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { balanceOption, cutDown, neighboursOption } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** NearMiss. */
export const nearMiss = defineMethod({
  name: 'near-miss',
  title: 'Of the larger classes those rows are kept that lie nearest to the smallest class.',
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
        'nearest to 1: their nearest rows of it; 2: their farthest; 3: of its neighbours, those farthest from it',
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
