import type { Values } from './arrays.js';
import { checkCounts, checkFinite, checkSquare } from './check-arguments.js';
import { at } from './checked-access.js';

/**
 * Rows of a (soft-)confusion matrix as shares: `S'[p,q] = s[p,q] / n_p`.
 *
 * A class without instances has no row. It comes out as NaN, which says "not measured" through {@link costMatrix} to
 * {@link updateGeneratorMatrix}, where that class's label stays as it was.
 *
 * @param counts - `n_p`, the instances of each class that were measured
 */
export function normaliseRows(matrix: Values, counts: Values): Float64Array {
  const classes = checkSquare(matrix, 'matrix');
  checkFinite(matrix, classes, classes, 'matrix');
  checkCounts(counts, classes, 'counts');
  return Float64Array.from(matrix).map((value, i) => value / (at(counts, Math.floor(i / classes)) || Number.NaN));
}

/**
 * What it costs to take class p for class q: `C = S' − I`. The diagonal is at most 0, the rest at least 0, and every
 * row sums to 0. Rows that were not measured stay NaN.
 */
export function costMatrix(normalised: Values): Float64Array {
  const classes = checkSquare(normalised, 'normalised');
  const cost = Float64Array.from(normalised);
  for (let p = 0; p < classes; p++) {
    const diagonal = p * classes + p;
    cost[diagonal] = at(cost, diagonal) - 1;
  }
  return cost;
}
