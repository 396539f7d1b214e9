import { kMeansSmote as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { balanceOption, filledUp, neighboursOption } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** k-means SMOTE. */
export const kMeansSmote = defineMethod({
  name: 'k-means-smote',
  title: 'SMOTE inside clusters in which a class is common, most where it is sparse.',
  reference: 'Last et al. 2017',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({
    balance: balanceOption,
    neighbours: neighboursOption.default(2),
    clusters: z.int().min(1).default(8).describe('number of clusters'),
  }),
  prepare: (context, { balance, neighbours, clusters }) =>
    resampledRows(context, (rows, seed) =>
      sample(distanceSpace(rows), rows.labels, {
        seed,
        neighbours,
        clusters,
        lenient: true,
        strategy: filledUp(rows.labels, balance),
      }),
    ),
});
