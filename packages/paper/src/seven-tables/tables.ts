import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from 'evenhand';
import { dataFolder, readTableFile, type TableDataset } from 'evenhand/data';

/** What a table is like. */
interface TableFacts {
  readonly rows: number;
  /** Beside the target. */
  readonly columns: number;
  readonly classes: number;
  /** Rows of the largest and of the smallest class. */
  readonly largest: number;
  readonly smallest: number;
}

/** The tables of docs/tables.md. Defaults are chosen by others: those that scripts/tuning_tables.R makes. */
export const SEVEN_TABLES: Readonly<Record<string, TableFacts>> = {
  abalone: { rows: 4177, columns: 8, classes: 28, largest: 689, smallest: 1 },
  'ann-thyroid': { rows: 7200, columns: 21, classes: 3, largest: 6666, smallest: 166 },
  glass: { rows: 214, columns: 9, classes: 6, largest: 76, smallest: 9 },
  mammography: { rows: 11183, columns: 6, classes: 2, largest: 10923, smallest: 260 },
  'page-blocks': { rows: 5472, columns: 10, classes: 5, largest: 4913, smallest: 28 },
  'winequality-white': { rows: 4898, columns: 11, classes: 7, largest: 2198, smallest: 5 },
  yeast: { rows: 1484, columns: 8, classes: 10, largest: 463, smallest: 5 },
};

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
