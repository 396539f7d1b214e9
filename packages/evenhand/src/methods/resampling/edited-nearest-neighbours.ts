import { editedNearestNeighbours as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { neighboursOption } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** Edited nearest neighbours. */
export const editedNearestNeighbours = defineMethod({
  name: 'edited-nearest-neighbours',
  title: 'Removes rows of the larger classes whose nearest neighbours are not all of the same class.',
  reference: 'Wilson 1972',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({ neighbours: neighboursOption.default(3) }),
  prepare: (context, { neighbours }) =>
    resampledRows(context, (rows) => sample(distanceSpace(rows), rows.labels, { neighbours })),
});
