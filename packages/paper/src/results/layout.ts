import { join } from 'node:path';
import type { Scale } from '../tables/recipes.js';
import type { TableName } from '../tables/tables.js';

/** Which results belong together. Those of another scale, or of another number of epochs or size of images, are never mixed with them. */
export interface TableVersion {
  readonly table: TableName;
  readonly scale: Scale;
  /** Where the recipe's number of epochs is not used. */
  readonly epochs?: number;
  /** Where the recipe's size of images is not used. */
  readonly imageSize?: number;
}

/** Where things are. */
export interface Folders {
  /** Of the run folders. */
  readonly folder: string;
  /** Of the files with results. */
  readonly results: string;
}

/** `table2.cpu`; `table2.cpu.epochs-3` for another number of epochs than the recipe's, `table3.cpu.size-64` for another size of images. */
function versionName({ table, scale, epochs, imageSize }: TableVersion): string {
  const others = [
    ...(epochs === undefined ? [] : [`epochs-${epochs}`]),
    ...(imageSize === undefined ? [] : [`size-${imageSize}`]),
  ];
  return [table, scale, ...others].join('.');
}

/** The file with a line for every cell of a table. */
export function resultsFile({ results }: Pick<Folders, 'results'>, version: TableVersion): string {
  return join(results, `${versionName(version)}.jsonl`);
}

/** The folder with the run folders of a table's cells. */
export function runsFolder({ folder }: Pick<Folders, 'folder'>, version: TableVersion): string {
  return join(folder, versionName(version));
}
