import type { Config } from 'evenhand/config';
import { cellOf } from '../tables/cells.js';
import type { ResultRow, ResultTable } from './results.js';

/** How enhancement is trained in a row of a table; other methods differ in the method alone. */
export function rowConfig(
  { name: table, scale }: Pick<ResultTable, 'name' | 'scale'>,
  { setting, loss }: Pick<ResultRow, 'setting' | 'loss'>,
): Config {
  return cellOf({ table, scale, setting: setting.name, loss, method: 'enhancement', seed: 0, subset: 0 }).config;
}
