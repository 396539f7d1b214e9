import { clusterCentroids as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { balanceOption, cutDown } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** Cluster centroids. */
export const clusterCentroids = defineMethod({
  name: 'cluster-centroids',
  title: 'The larger classes are divided into clusters, and each is replaced by its centroid.',
  reference: 'Lin et al. 2017',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({ balance: balanceOption }),
  prepare: (context, { balance }) =>
    resampledRows(context, (rows, seed) =>
      sample(distanceSpace(rows), rows.labels, { seed, strategy: cutDown(rows.labels, balance) }),
    ),
});
