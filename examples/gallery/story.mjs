import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** Options of every example: a quick try-out, the folder for its files, and a folder in which to keep its results. */
export const { quick, out, results } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: 'gallery' },
    results: { type: 'string' },
  },
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

/** Prints the results of an example; with `--results`, also keeps them in that folder, with the numbers behind them. */
export function tell(story, numbers, printed) {
  for (const line of printed) console.log(line);
  if (results === undefined) return;
  const { version } = createRequire(import.meta.url)('evenhand/package.json');
  mkdirSync(results, { recursive: true });
  const kept = { story, evenhand: version, node: process.versions.node, numbers, printed };
  writeFileSync(join(results, `${story}.json`), `${JSON.stringify(kept, null, 2)}\n`);
}
