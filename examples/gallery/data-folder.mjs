import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** What every story can be told: where its files go, and whether it is only to be tried. */
export const { quick, out } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, out: { type: 'string', default: 'gallery' } },
}).values;

/** A file or folder of the data folder. */
export function dataPath(...path) {
  const full = join(process.env.EVENHAND_DATA ?? 'data', ...path);
  if (!existsSync(full)) throw new Error(`${full} is not there: put it into the folder that EVENHAND_DATA names.`);
  return full;
}

export function percent(value) {
  return value === null || value === undefined ? '–' : `${(100 * value).toFixed(1)} %`;
}
