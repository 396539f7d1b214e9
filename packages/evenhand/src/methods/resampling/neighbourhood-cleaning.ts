import { neighbourhoodCleaning as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { neighboursOption } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** The neighbourhood cleaning rule. */
export const neighbourhoodCleaning = defineMethod({
  name: 'neighbourhood-cleaning',
  title:
    'Removes rows that their neighbours disagree with, and neighbours that disagree with rows of the smallest class.',
  reference: 'Laurikkala 2001',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({ neighbours: neighboursOption.default(3) }),
  prepare: (context, { neighbours }) =>
    resampledRows(context, (rows) => sample(distanceSpace(rows), rows.labels, { neighbours })),
});
