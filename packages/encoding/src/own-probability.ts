import type { NumberLabels, Values } from './arrays.js';
import { at, outside } from './checked-access.js';

/*
 * The probability that an instance has of its own class. Its sum over a class is the diagonal of the soft-confusion matrix; with the
 * sum of its squares one knows how far that is to be trusted.
 */

/**
 * Adds the squares of the instances' probabilities of their own class, class by class.
 *
 * @param probabilities - checked: one row per instance
 */
export function addOwnSquares(labels: NumberLabels, probabilities: Values, into: Float64Array): void {
  const classes = into.length;
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] ?? outside(labels, i);
    const own = probabilities[i * classes + label] ?? outside(probabilities, i * classes + label);
    into[label] = (into[label] ?? outside(into, label)) + own * own;
  }
}

/** The diagonal of a matrix over classes. */
export function diagonalOf(matrix: Float64Array, classes: number): Float64Array {
  return Float64Array.from({ length: classes }, (_, p) => at(matrix, p * classes + p));
}

/** `(Σ y² − (Σ y)²/n)/(n − 1)` of each class; NaN for fewer than two instances. */
export function ownVariances(softConfusion: Float64Array, squares: Float64Array, counts: Float64Array): Float64Array {
  return diagonalOf(softConfusion, counts.length).map((sum, p) => {
    const count = at(counts, p);
    return count < 2 ? Number.NaN : Math.max(0, at(squares, p) - sum ** 2 / count) / (count - 1);
  });
}
