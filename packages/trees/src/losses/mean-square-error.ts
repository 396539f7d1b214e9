import type { Loss } from './loss.js';

/**
 * `(1/N) Σ_k (y_k − l_k)²`. With r = 2/N (y − l) the gradient is `y_j (r_j − Σ_k r_k y_k)`. It vanishes where a probability does, so there is no
 * negative mass to make up for; A = 2/N, which is an upper bound of the Gauss-Newton Hessian.
 */
export const meanSquareError: Loss = {
  derivatives(probabilities, labels, first, gradients, hessians) {
    const classes = probabilities.length;
    const factor = 2 / classes;
    let mean = 0;
    for (let k = 0; k < classes; k++) {
      const y = probabilities[k] ?? 0;
      const residual = factor * (y - (labels[first + k] ?? 0));
      gradients[k] = residual;
      mean += residual * y;
    }
    for (let j = 0; j < classes; j++) {
      const y = probabilities[j] ?? 0;
      gradients[j] = y * ((gradients[j] ?? 0) - mean);
      hessians[j] = factor * y * (1 - y);
    }
  },
  bound(labels, first, classes) {
    let largest = 0;
    for (let k = 0; k < classes; k++) largest = Math.max(largest, Math.abs(labels[first + k] ?? 0));
    return (4 / classes) * (1 + largest);
  },
  value(probabilities, labels, first) {
    let sum = 0;
    for (let k = 0; k < probabilities.length; k++) sum += ((probabilities[k] ?? 0) - (labels[first + k] ?? 0)) ** 2;
    return sum / probabilities.length;
  },
};
