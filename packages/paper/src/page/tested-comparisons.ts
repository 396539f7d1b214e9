import type { PairedComparison } from 'evenhand/evaluation';
import { NONE } from 'evenhand/report';
import { at } from '../checked-access.js';
import { holmCorrected } from '../holm.js';
import { points, probability, signed } from '../numbers.js';
import type { CellMethod } from '../tables/cell-methods.js';
import { type MetricName, TABLES } from '../tables/tables.js';
import { gainIn } from './comparison.js';
import type { ResultRow, ResultTable } from './results.js';

/** Below this, after the correction, a difference is called more than the chance of the seed; chance in drawing the images is another matter. */
const SIGNIFICANT = 0.05;

/** A method, and what it is compared with. */
export type MethodPair = readonly [method: CellMethod, baseline: CellMethod];

/** The paper's own comparison. */
export const ENHANCEMENT_TO_ONE_HOT: MethodPair = ['enhancement', 'one-hot'];

/** What a test says of a difference. */
export type Outcome = 'ahead' | 'behind' | 'cannot tell';

/** Two methods in a row, over the seeds that both have. Differences in percentage points. */
export interface TestedComparison {
  readonly row: ResultRow;
  readonly metric: MetricName;
  readonly pair: MethodPair;
  readonly gain: PairedComparison;
  /** p of the t-test, corrected for the number of comparisons (Holm); null where there is no p. */
  readonly corrected: number | null;
}

/** Compares methods in all rows and metrics of a table, and corrects for the number of comparisons with a p. */
export function testedComparisons(table: ResultTable, pairs: readonly MethodPair[]): TestedComparison[] {
  const found = table.rows.flatMap((row) =>
    TABLES[table.name].metrics.flatMap((metric) =>
      pairs.flatMap((pair) => {
        const gain = gainIn(row, metric, ...pair);
        return gain === undefined ? [] : [{ row, metric, pair, gain }];
      }),
    ),
  );
  const corrected = holmCorrected(found.map(({ gain }) => gain.tTest.value));
  return found.map((comparison, i) => ({ ...comparison, corrected: at(corrected, i) }));
}

/** A difference counts only if chance is an unlikely reason for it. */
export function outcomeOf({ gain, corrected }: Pick<TestedComparison, 'gain' | 'corrected'>): Outcome {
  if (corrected === null || corrected >= SIGNIFICANT) return 'cannot tell';
  return gain.meanDifference > 0 ? 'ahead' : 'behind';
}

/** `+2.00 [0.43, 3.57]`, with the 95 % interval. */
export function differenceText({ meanDifference, interval }: PairedComparison): string {
  if (interval === null) return signed(meanDifference);
  return `${signed(meanDifference)} [${points(interval.low)}, ${points(interval.high)}]`;
}

/** A p-value that may not be there. */
export function probabilityText(value: number | null): string {
  return value === null ? NONE : probability({ value });
}
