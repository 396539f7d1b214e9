import { oneSidedSelection as sample } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** One-sided selection. */
export const oneSidedSelection = defineMethod({
  name: 'one-sided-selection',
  title: 'Removes rows of the larger classes that are far from the border, then those in Tomek links.',
  reference: 'Kubat and Matwin 1997',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({}),
  prepare: (context) => resampledRows(context, (rows, seed) => sample(distanceSpace(rows), rows.labels, { seed })),
});
