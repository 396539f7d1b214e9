import { absoluteMass, type Loss, negativeMass } from './loss.js';

/**
 * `−Σ_k l_k (1 − y_k)^γ log y_k` (Lin et al. 2017). With
 *
 *   φ(y) = γ y (1 − y)^(γ − 1) log y − (1 − y)^γ
 *
 * the gradient is `l_j φ(y_j) − y_j Σ_k l_k φ(y_k)`. The Hessian is that of the softmax alone, A = −Σ_k l_k φ(y_k): the exact one is negative for
 * examples that are far off.
 */
export function focal(gamma: number): Loss {
  const phi = (y: number): number => {
    if (y <= 0) return -1;
    if (y >= 1) return gamma === 0 ? -1 : 0;
    return gamma * y * (1 - y) ** (gamma - 1) * Math.log(y) - (1 - y) ** gamma;
  };
  return {
    derivatives(probabilities, labels, first, gradients, hessians) {
      const classes = probabilities.length;
      let sum = 0;
      for (let k = 0; k < classes; k++) {
        const term = (labels[first + k] ?? 0) * phi(probabilities[k] ?? 0);
        gradients[k] = term;
        sum += term;
      }
      const curvature = Math.max(-sum, 0);
      const floor = negativeMass(labels, first, classes) / 4;
      for (let j = 0; j < classes; j++) {
        const y = probabilities[j] ?? 0;
        gradients[j] = (gradients[j] ?? 0) - y * sum;
        hessians[j] = curvature * y * (1 - y) + floor;
      }
    },
    // |φ| ≤ 1 + γ, because y |log y| (1 − y)^(γ − 1) < 1.
    bound: (labels, first, classes) => (1 + gamma) * absoluteMass(labels, first, classes),
    value(probabilities, labels, first) {
      let loss = 0;
      for (let k = 0; k < probabilities.length; k++) {
        const y = probabilities[k] ?? 0;
        const label = labels[first + k] ?? 0;
        if (label !== 0) loss -= label * (1 - y) ** gamma * Math.log(y);
      }
      return loss;
    },
  };
}
