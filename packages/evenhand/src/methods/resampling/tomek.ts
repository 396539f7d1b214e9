import { tomekLinks } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import { distanceSpace } from './distance-space.js';
import { resampledRows } from './resampled-rows.js';

/** Tomek links. */
export const tomek = defineMethod({
  name: 'tomek',
  title: 'Removes rows of the larger classes in Tomek links: nearest neighbours of each other from different classes.',
  reference: 'Tomek 1976',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({}),
  prepare: (context) => resampledRows(context, (rows) => tomekLinks(distanceSpace(rows), rows.labels)),
});
