import { tomekLinks } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** Tomek links. */
export const tomek = defineMethod({
  name: 'tomek',
  title: 'Rows of the larger classes are removed whose nearest neighbour is of another class, and vice versa.',
  reference: 'Tomek 1976',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({}),
  prepare: (context) => resampledRows(context, (rows) => tomekLinks(distanceSpace(rows), rows.labels)),
});
