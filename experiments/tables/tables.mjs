// The seven tables of docs/tables.md, their splits, and the rows that may be used to choose defaults.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataFolder, parseConfig, readTableFile, splitDataset } from 'evenhand';

/**
 * abalone has classes of one and two rows, which no test set has: all are trained with them, and measured on the others.
 *
 * mammography has one row 3,329 times, which is too large for any test set: it is always trained on. Of the rows that are left
 * for tuning it would be nearly all that is trained on, so that each row counts once there.
 */
export const TABLES = [
  { name: 'abalone' },
  { name: 'ann-thyroid' },
  { name: 'glass' },
  { name: 'mammography', tuneOnDistinctRows: true },
  { name: 'page-blocks' },
  { name: 'winequality-white' },
  { name: 'yeast' },
];

/** The program that trains one of them. */
export const TRAIN_CELL = fileURLToPath(new URL('train-cell.mjs', import.meta.url));

/** A seed is that of the split and of the training. */
export const SEEDS = [0, 1, 2, 3, 4];

/** The configuration of a run on a table: defaults, but for what is given. */
export function configOf({ name }, splitSeed, given = {}) {
  const data = { source: pathOf(name), target: 'class', splitSeed };
  return parseConfig({ data, seed: splitSeed, threads: 1, ...given });
}

export function pathOf(name) {
  return join(dataFolder(), 'tabular', `${name}.csv`);
}

/** A table and its five splits, as `train` makes them. */
export async function readSplits(table) {
  const dataset = await readTableFile(pathOf(table.name), { target: 'class' });
  const splits = SEEDS.map((seed) => {
    const { validationPerClass, duplicatesTogether } = configOf(table, seed).data;
    return splitDataset(dataset, { seed, validationPerClass, duplicatesTogether });
  });
  return { dataset, splits };
}

/** The rows of a table that are in none of the five test sets: nothing else is looked at to choose defaults. */
export async function readTuningPart(table) {
  const { dataset, splits } = await readSplits(table);
  const tested = new Set(splits.flatMap(({ test }) => [...test]));
  const untested = [...dataset.labels.keys()].filter((place) => !tested.has(place));
  const places = table.tuneOnDistinctRows ? distinct(dataset, untested) : untested;
  const rowsOf = (values) => values.constructor.from(places, (place) => values[place]);
  const columns = dataset.columns.map((column) =>
    'codes' in column ? { ...column, codes: rowsOf(column.codes) } : { ...column, values: rowsOf(column.values) },
  );
  const classNames = dataset.classNames.filter((_, p) => places.some((place) => dataset.labels[place] === p));
  const labels = Int32Array.from(places, (place) => classNames.indexOf(dataset.classNames[dataset.labels[place]]));
  return { ...dataset, classNames, labels, columns, leftOut: [] };
}

/** The first place of every row, of those with the same features. */
function distinct({ columns }, places) {
  const featuresOf = (place) =>
    columns.map((column) => ('codes' in column ? column.codes : column.values)[place]).join();
  return [...new Map(places.toReversed().map((place) => [featuresOf(place), place])).values()].toReversed();
}
