import { stratifiedFolds, type TableDataset } from 'evenhand/data';
import { at } from '../checked-access.js';

/** Every row is tested once in each repeat, by whoever learned from the other folds. */
export const REPEATS = 2;
export const FOLDS = 5;

/** What the fold of a row is that is never tested. */
const ALWAYS_TRAINS = -1;

/** What is learned from and what is tested, as rows of the table, ascending. */
export interface Fold {
  readonly training: Int32Array;
  readonly test: Int32Array;
}

/**
 * The fold of every row: stratified by class, identical rows together. A class all of whose rows are in one fold, such as a class of one
 * row, could not be learned where it is tested: its rows are always trained on, and have −1 here.
 */
export function foldsOf(dataset: TableDataset, repeat: number): Int32Array {
  const foldOf = stratifiedFolds(dataset, { folds: FOLDS, seed: repeat });
  const foldsOfClass = dataset.classNames.map(() => new Set<number>());
  for (const [row, fold] of foldOf.entries()) at(foldsOfClass, at(dataset.labels, row)).add(fold);
  return foldOf.map((fold, row) => (at(foldsOfClass, at(dataset.labels, row)).size > 1 ? fold : ALWAYS_TRAINS));
}

/** The rows of one fold, and all others. */
export function foldRows(foldOf: Int32Array, fold: number): Fold {
  const rows = foldOf.map((_, row) => row);
  return {
    training: rows.filter((row) => foldOf[row] !== fold),
    test: rows.filter((row) => foldOf[row] === fold),
  };
}

/** The folds of a table for `peers.py`, with what it needs to read the table as we do. Rows are counted from 0, without the header. */
export function foldsForPeers(table: string, dataset: TableDataset): object {
  const { classNames, labels, columns } = dataset;
  return {
    table,
    columns: columns.map(({ name, kind }) => ({ name, kind })),
    classNames,
    labels: [...labels],
    folds: Array.from({ length: REPEATS }, (_, repeat) => [...foldsOf(dataset, repeat)]),
  };
}
