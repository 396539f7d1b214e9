import type { FoldResult } from '../../src/seven-tables/fold-results.js';
import { FOLDS, REPEATS } from '../../src/seven-tables/folds.js';

const MIDDLING = {
  ...{ balancedAccuracy: 0.5, macroF1: 0.5, gMean: 0.5, macroAveragePrecision: 0.5 },
  ...{ logLoss: 1, calibrationError: 0.1, seconds: 2 },
};

/** Results of a learner on all folds of some tables. */
export function resultsOf(
  learner: string,
  tables: readonly string[],
  measures: (table: string, repeat: number, fold: number) => Partial<FoldResult> = () => ({}),
): FoldResult[] {
  return tables.flatMap((table) =>
    Array.from({ length: REPEATS * FOLDS }, (_, i) => {
      const [repeat, fold] = [Math.floor(i / FOLDS), i % FOLDS];
      return { learner, table, repeat, fold, ...MIDDLING, ...measures(table, repeat, fold) };
    }),
  );
}
