// What results.jsonl says of the present defaults.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { readLines } from '../cells.mjs';
import { configOf, TABLES } from './tables.mjs';

export const RESULTS = fileURLToPath(new URL('results.jsonl', import.meta.url));

export const METHODS = [
  'one-hot',
  'enhancement',
  're-weighting',
  'cost-sensitiveness',
  'class-balanced',
  'logit-adjustment',
  'over-sampling',
];

export const RIVALS = ['LogisticRegression', 'RandomForest', 'HistGradientBoosting'];

/** Of all that a run of a method is told beside the data: results of other defaults are not those of these. */
export function configurationHash(method) {
  const { data, seed, ...rest } = configOf(TABLES[0], 0, { method: { name: method } });
  const { validationPerClass, duplicatesTogether } = data;
  const told = JSON.stringify({ validationPerClass, duplicatesTogether, ...rest });
  return createHash('sha256').update(told).digest('hex').slice(0, 12);
}

/** The results of a method on a table, by seed ascending. */
export function resultsOf(method, table) {
  const configuration = METHODS.includes(method) ? configurationHash(method) : undefined;
  return readLines(RESULTS)
    .filter((line) => line.method === method && line.table === table && line.configuration === configuration)
    .sort((a, b) => a.seed - b.seed);
}
