import type { Random } from '@evenhand/engine';
import { at, int32At } from '../../checked-access.js';

/** Rows that values are permuted among. */
interface Pool {
  /** Every row of a fold, those that are measured and the others. */
  readonly rows: Int32Array;
  /** Those that are measured: indices in the list of all that are. */
  readonly measured: number[];
}

/**
 * Draws permutations within folds: for each measured row, the row that it takes a value from. A row only gets values of its own fold. One from
 * another fold may be known by heart to the network that answers, together with its class.
 *
 * @param folds - of every row
 * @param measured - rows, a part of all or all
 */
export function donorDrawer(folds: Int32Array, measured: Int32Array, random: Random): () => Int32Array {
  const pools = poolsOf(folds, measured);
  return () => {
    const donors = new Int32Array(measured.length);
    for (const { rows, measured: own } of pools) {
      // The beginning of Fisher and Yates' shuffle; whatever order the rows are in, it is random afterwards.
      for (const [i, index] of own.entries()) {
        const j = i + Math.floor(random() * (rows.length - i));
        const donor = int32At(rows, j);
        rows[j] = int32At(rows, i);
        rows[i] = donor;
        donors[index] = donor;
      }
    }
    return donors;
  };
}

function poolsOf(folds: Int32Array, measured: Int32Array): Pool[] {
  const count = folds.reduce((most, fold) => Math.max(most, fold + 1), 0);
  const rows = Array.from({ length: count }, (): number[] => []);
  for (const [row, fold] of folds.entries()) at(rows, fold).push(row);
  const pools = rows.map((own) => ({ rows: Int32Array.from(own), measured: [] as number[] }));
  for (const [index, row] of measured.entries()) at(pools, int32At(folds, row)).measured.push(index);
  return pools;
}
