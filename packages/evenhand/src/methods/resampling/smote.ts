import { smote as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { balanceOption, filledUp, neighboursOption } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** SMOTE. A category of a new row is that of the nearer parent; `smote-nc` asks all neighbours. */
export const smote = defineMethod({
  name: 'smote',
  title: 'New rows between rows of the smaller classes and their nearest neighbours of the same class.',
  reference: 'Chawla et al. 2002',
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
