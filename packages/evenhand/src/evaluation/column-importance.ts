import { float64At } from '../checked-access.js';
import { balancedMean, type ClassedRows } from './balanced-mean.js';
import type { Estimate } from './estimate.js';

/** How rows are answered: −log p of the right class, and 1 where the answer is right, 0 where it is not. */
export interface RowResults {
  readonly losses: Float64Array;
  readonly hits: Float64Array;
}

/** How much worse a model does without what a column says: its values are permuted among the rows. */
export interface ColumnImportance {
  /** Of the balanced log-loss, which every change of a probability moves. */
  readonly logLossRise: Estimate;
  /** Of the balanced accuracy of the answers. */
  readonly balancedAccuracyDrop: Estimate;
}

/** What permuting a column changes for every row, in the mean over the permutations. */
export interface RowChanges {
  readonly lossRises: Float64Array;
  readonly hitDrops: Float64Array;
}

/** @param permuted - the same rows after each permutation */
export function rowChanges(before: RowResults, permuted: readonly RowResults[]): RowChanges {
  const mean = (row: number, of: (results: RowResults) => Float64Array) =>
    permuted.reduce((sum, results) => sum + float64At(of(results), row), 0) / permuted.length;
  return {
    lossRises: before.losses.map((loss, row) => mean(row, ({ losses }) => losses) - loss),
    hitDrops: before.hits.map((hit, row) => hit - mean(row, ({ hits }) => hits)),
  };
}

/** @returns a {@link ColumnImportance} whose values are known */
export function columnImportance({ lossRises, hitDrops }: RowChanges, rows: ClassedRows) {
  return { logLossRise: balancedMean(lossRises, rows), balancedAccuracyDrop: balancedMean(hitDrops, rows) };
}

/** How much the recall of each class drops. */
export function recallDrops({ hitDrops }: RowChanges, { byClass, ...rest }: ClassedRows): Estimate[] {
  return byClass.map((rows) =>
    rows.length === 0
      ? { value: null, interval: null, reason: 'no row of the class was measured' }
      : balancedMean(hitDrops, { byClass: [rows], ...rest }),
  );
}
