import { join } from 'node:path';
import type { Config, ConfigInput } from 'evenhand';
import { parseConfig } from 'evenhand/config';
import { dataFolder, readTableFile, type Split, splitDataset, type TableDataset } from 'evenhand/data';

/** The tables on which the defaults for tables were chosen and compared. */
export const SEVEN_TABLES = [
  /** It has classes of one and two rows, which no test set has: all are trained with them, and measured on the others. */
  'abalone',
  'ann-thyroid',
  'glass',
  'mammography',
  'page-blocks',
  'winequality-white',
  'yeast',
] as const;
export type SevenTable = (typeof SEVEN_TABLES)[number];

/** A seed is that of the split and of the training. */
export const SEEDS = [0, 1, 2, 3, 4] as const;

/** The file of a table, with its classes in the column `class`. */
export function tableFile(table: SevenTable): string {
  return join(dataFolder(), 'tabular', `${table}.csv`);
}

/** The configuration of a run on a table: defaults, but for what is given. */
export function configOf(table: SevenTable, seed: number, given: Partial<ConfigInput> = {}): Config {
  const data = { source: tableFile(table), target: 'class', splitSeed: seed };
  return parseConfig({ data, seed, threads: 1, ...given });
}

/** A table with its split for every seed. */
export interface SplitTable {
  readonly table: SevenTable;
  readonly dataset: TableDataset;
  /** In the order of {@link SEEDS}. */
  readonly splits: readonly Split[];
}

/** A table and its splits, as training makes them. */
export async function readSplits(table: SevenTable): Promise<SplitTable> {
  const dataset = await readTableFile(tableFile(table), { target: 'class' });
  const splits = SEEDS.map((seed) => {
    const { validationPerClass, duplicatesTogether } = configOf(table, seed).data;
    return splitDataset(dataset, { seed, validationPerClass, duplicatesTogether });
  });
  return { table, dataset, splits };
}

/** The rows that are in none of the test sets: nothing else is looked at to choose defaults. */
export function untestedPlaces({ dataset, splits }: SplitTable): number[] {
  const tested = new Set(splits.flatMap(({ test }) => [...test]));
  return [...dataset.labels.keys()].filter((row) => !tested.has(row));
}

/** The splits of all tables for `scikit_learn.py`. Rows are counted from 0, without the header. */
export async function splitsForScikitLearn(): Promise<object[]> {
  const tables: object[] = [];
  for (const table of SEVEN_TABLES) {
    const { dataset, splits } = await readSplits(table);
    const { classNames, columns } = dataset;
    tables.push({
      table,
      path: tableFile(table),
      columns: columns.map(({ name, kind }) => ({ name, kind })),
      classes: Array.from(dataset.labels, (label) => classNames[label]),
      splits: splits.map(({ training, validation, test }, i) => ({
        seed: SEEDS[i],
        // scikit-learn needs no validation set, so it learns from those rows too.
        fit: [...training, ...validation],
        test: [...test],
      })),
    });
  }
  return tables;
}
