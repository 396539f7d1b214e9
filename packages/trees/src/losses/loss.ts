/**
 * A loss of the probabilities y = softmax(z) and a label row l, of which nothing is expected but that it is finite: entries may be negative or above
 * 1, and need not sum to 1.
 *
 * All gradients have the form `∂L/∂z_j = l_j φ(y_j) − y_j Σ_k l_k φ(y_k)` or that of a square error, and sum to 0. Of the Hessian's diagonal
 * what is used is
 *
 *   h_j = A·y_j(1 − y_j) + e/4,   A ≥ 0
 *
 * with e = Σ_k max(0, −l_k), the negative mass of the label. It is exact for cross-entropy with labels ≥ 0 (A = Σ_k l_k, e = 0). Where labels are
 * negative the loss has no lower bound: at y_p = 1 a gradient of e is left while y(1 − y) vanishes, and a Newton step g/h would be infinite.
 * y(1 − y) is at most 1/4 (Böhning 1992), and with this upper bound for the negative mass such a step is at most 4.
 */
export interface Loss {
  /**
   * Writes gradient and Hessian of every class.
   *
   * @param labels - the label row begins at `first`
   */
  derivatives(
    probabilities: Float64Array,
    labels: Float32Array,
    first: number,
    gradients: Float64Array,
    hessians: Float64Array,
  ): void;
  /** What no gradient exceeds, and no Hessian four times, whatever the probabilities. */
  bound(labels: Float32Array, first: number, classes: number): number;
  /** The loss itself. May be negative. */
  value(probabilities: Float64Array, labels: Float32Array, first: number): number;
}

/** The negative mass of a label row, e. */
export function negativeMass(labels: Float32Array, first: number, classes: number): number {
  let sum = 0;
  for (let k = 0; k < classes; k++) sum += Math.max(0, -(labels[first + k] ?? 0));
  return sum;
}

/** Σ_k |l_k| */
export function absoluteMass(labels: Float32Array, first: number, classes: number): number {
  let sum = 0;
  for (let k = 0; k < classes; k++) sum += Math.abs(labels[first + k] ?? 0);
  return sum;
}
