import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from 'evenhand';
import { dataFolder, readTableFile, type TableDataset } from 'evenhand/data';

/** The tables of docs/tables.md. Nothing is ever chosen by looking at them: the tables for that are those of scripts/tuning_tables.R. */
export const SEVEN_TABLES = [
  'abalone',
  'ann-thyroid',
  'glass',
  'mammography',
  'page-blocks',
  'winequality-white',
  'yeast',
] as const;

/** The folder of the seven tables. */
export function sevenTablesFolder(): string {
  return join(dataFolder(), 'tabular');
}

/** A table of a folder: a CSV file with the classes in the column `class`. */
export function readTable(folder: string, table: string): Promise<TableDataset> {
  return readTableFile(join(folder, `${table}.csv`), { target: 'class' });
}

/**
 * The names of the tables in a folder, ascending.
 *
 * @throws {@link UserError} if there are none
 */
export async function tablesIn(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch((error: unknown) => {
    throw new UserError(`the folder of the tables, ${folder}, cannot be read; name another by --tables-folder`, {
      cause: error,
    });
  });
  const tables = files.filter((file) => file.endsWith('.csv')).map((file) => file.slice(0, -'.csv'.length));
  if (tables.length > 0) return tables.sort();
  throw new UserError(`${folder} has no table; expected files that end with .csv, with a column "class"`);
}
