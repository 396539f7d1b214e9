import { join } from 'node:path';
import type { Scale } from '../tables/recipes.js';
import type { TableName } from '../tables/tables.js';

/** Which results belong together. Those of another scale, or of other numbers of epochs, are never mixed with them. */
export interface TableVersion {
  readonly table: TableName;
  readonly scale: Scale;
  /** Where the recipe's number of epochs is not used. */
  readonly epochs?: number;
}

/** Where things are. */
export interface Folders {
  /** Of the run folders. */
  readonly folder: string;
  /** Of the files with results. */
  readonly results: string;
}

/** `table2.cpu`; `table2.cpu.epochs-3` for another number of epochs than the recipe's. */
function versionName({ table, scale, epochs }: TableVersion): string {
  return `${table}.${scale}${epochs === undefined ? '' : `.epochs-${epochs}`}`;
}

/** The file with a line for every cell of a table. */
export function resultsFile({ results }: Pick<Folders, 'results'>, version: TableVersion): string {
  return join(results, `${versionName(version)}.jsonl`);
}

/** The folder with the run folders of a table's cells. */
export function runsFolder({ folder }: Pick<Folders, 'folder'>, version: TableVersion): string {
  return join(folder, versionName(version));
}
