import { UserError } from 'evenhand';
import { caltech101Folder, openDataset } from 'evenhand/data';
import type { Cell } from '../tables/cells.js';

/**
 * Makes sure, before anything is trained, that the data of all cells is there.
 *
 * @throws {@link UserError} that says of everything missing how to get it
 */
export async function requireData(cells: readonly Cell[]): Promise<void> {
  const bySource = new Map(cells.map(({ config }) => [config.data.source, config.data]));
  const missing: string[] = [];
  for (const [source, data] of bySource) {
    try {
      if (source === 'caltech101')
        caltech101Folder(); // to read all of its photographs takes too long
      else await openDataset(data);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      missing.push(error.message);
    }
  }
  const [first, ...others] = missing;
  if (first === undefined) return;
  if (others.length === 0) throw new UserError(first);
  throw new UserError(`${missing.length} data sets are missing:\n  ${missing.join('\n  ')}`);
}
