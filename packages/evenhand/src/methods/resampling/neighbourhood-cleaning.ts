import { neighbourhoodCleaning as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { neighboursOption } from './class-sizes.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** The neighbourhood cleaning rule. */
export const neighbourhoodCleaning = defineMethod({
  name: 'neighbourhood-cleaning',
  title: 'Rows that dispute the smallest class, and rows that their neighbours dispute, are removed.',
  reference: 'Laurikkala 2001',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({ neighbours: neighboursOption.default(3) }),
  prepare: (context, { neighbours }) =>
    resampledRows(context, (rows) => sample(distanceSpace(rows), rows.labels, { neighbours })),
});
