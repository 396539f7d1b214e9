import { add, mul, sub } from '../operations/arithmetic.js';
import { sum } from '../operations/reductions.js';
import { relu } from '../operations/relu.js';
import { type Loss, meanLoss } from './loss.js';

/**
 * The hinge loss of several classes, `1/C · Σ_q max(0, 1 − l_q + z_q − Σ_r l_r z_r)`. With a one-hot label of class p it is
 * `1/C · Σ_{q ≠ p} max(0, 1 + z_q − z_p)` (Weston and Watkins 1999), that of a support vector machine: an instance stops pulling once its class is
 * ahead of every other by 1. A negative entry of a label asks for more than 1.
 *
 * With `h_q` = 1 where the maximum is not 0, its gradient at the logits is `1/C · (h_k − l_k·Σ_q h_q)`.
 */
export const hinge: Loss = meanLoss(
  'hinge',
  (logits, labelRows) => {
    const own = sum(mul(labelRows, logits), { axes: [1], keepAxes: true });
    return relu(sub(add(sub(logits, labelRows), 1), own));
  },
  (classes) => 1 / classes,
);
