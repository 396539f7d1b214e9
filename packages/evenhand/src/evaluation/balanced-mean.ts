import { at, float64At, int32At } from '../checked-access.js';
import { type Estimate, NORMAL_QUANTILE } from './estimate.js';

/** Rows by their classes, and which of them belong together. */
export interface ClassedRows {
  /** The rows of each class; of a class that has none, an empty list. */
  readonly byClass: readonly (readonly number[])[];
  /** The block of every row, from 0: identical rows, and those of a group, are no evidence of their own. */
  readonly blocks: Int32Array;
  /** How many folds the rows were answered in, each by a network that learned from the others; 1 if one that learned from none. */
  readonly folds: number;
}

/** @param blocks - any numbers, the same for rows that belong together */
export function classedRows(labels: Int32Array, classes: number, blocks: Int32Array, folds = 1): ClassedRows {
  const byClass = Array.from({ length: classes }, (): number[] => []);
  for (const [row, label] of labels.entries()) at(byClass, label).push(row);
  const numbers = new Map<number, number>();
  const numbered = blocks.map((block) => {
    const number = numbers.get(block) ?? numbers.size;
    numbers.set(block, number);
    return number;
  });
  return { byClass, blocks: numbered, folds };
}

/**
 * The mean over the classes of the mean of their rows' values, `θ = 1/C·Σ_c mean_c`, and its 95 % interval `θ ± 1.96·s`.
 *
 * The variance is that of a stratified sample whose blocks are drawn as a whole: `s² = Σ_b (Σ_{i∈b} (v_i − mean_c) / (C·√(n_c(n_c − 1))))²`
 * with c the class of row i. Without blocks it is `1/C²·Σ_c s_c²/n_c`. The only row of a class is compared with θ: it has no other row
 * to differ from.
 *
 * Out of fold, s² is multiplied by `1 + K/(K − 1)` (Nadeau and Bengio 2003): what chance puts into one fold, the networks of all others have
 * learned. Without it, one in five intervals of columns that are noise would miss 0.
 */
export function balancedMean(
  values: Float64Array,
  { byClass, blocks, folds }: ClassedRows,
): Estimate & { readonly value: number } {
  const present = byClass.filter((rows) => rows.length > 0);
  const means = present.map((rows) => rows.reduce((sum, row) => sum + float64At(values, row), 0) / rows.length);
  const value = means.reduce((sum, mean) => sum + mean, 0) / present.length;
  const sums = new Float64Array(blocks.length);
  for (const [c, rows] of present.entries()) {
    const [centre, others] = rows.length === 1 ? [value, 1] : [at(means, c), rows.length - 1];
    const scale = 1 / (present.length * Math.sqrt(rows.length * others));
    for (const row of rows) {
      const block = int32At(blocks, row);
      sums[block] = float64At(sums, block) + (float64At(values, row) - centre) * scale;
    }
  }
  const shared = folds > 1 ? 1 + folds / (folds - 1) : 1;
  const deviation = Math.sqrt(shared * sums.reduce((sum, ofBlock) => sum + ofBlock ** 2, 0));
  if (deviation === 0) {
    return { value, interval: null, reason: 'the same for all rows: they cannot show a spread' };
  }
  return { value, interval: { low: value - NORMAL_QUANTILE * deviation, high: value + NORMAL_QUANTILE * deviation } };
}
