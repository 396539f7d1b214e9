import { type Resampled, type SmoteOptions, smoteNC as sample, smote, smoteN } from '@evenhand/resampling';
import { z } from 'zod';
import { defineMethod } from '../define-method.js';
import type { RowsToResample } from '../method.js';
import { balanceOption, filledUp, neighboursOption } from './class-sizes.js';
import { resampledRows } from './resampled-rows.js';

/** SMOTE-NC; where all features are categories SMOTEN, and where none is plain SMOTE. */
export const smoteNC = defineMethod({
  name: 'smote-nc',
  title: 'SMOTE for tables with categories: new rows have the most frequent category of the neighbours.',
  reference: 'Chawla et al. 2002',
  changes: 'rows',
  tablesOnly: true,
  options: z.strictObject({ balance: balanceOption, neighbours: neighboursOption }),
  prepare: (context, { balance, neighbours }) =>
    resampledRows(context, (rows, seed) =>
      sampleRows(rows, { seed, neighbours, lenient: true, strategy: filledUp(rows.labels, balance) }),
    ),
});

function sampleRows({ features, labels, width, discrete }: RowsToResample, options: SmoteOptions): Resampled {
  if (discrete.length === 0) return smote(features, labels, options);
  if (discrete.length === width) return smoteN(features, labels, options);
  return sample(features, labels, { ...options, categorical: discrete });
}
