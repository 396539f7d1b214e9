import { absoluteMass, type Loss, negativeMass } from './loss.js';

/** `−Σ_k l_k log y_k`, with the gradient `(Σ_k l_k)·y_j − l_j`. */
export const crossEntropy: Loss = {
  derivatives(probabilities, labels, first, gradients, hessians) {
    const classes = probabilities.length;
    let sum = 0;
    for (let k = 0; k < classes; k++) sum += labels[first + k] ?? 0;
    const curvature = Math.max(sum, 0);
    const floor = negativeMass(labels, first, classes) / 4;
    for (let j = 0; j < classes; j++) {
      const y = probabilities[j] ?? 0;
      gradients[j] = sum * y - (labels[first + j] ?? 0);
      hessians[j] = curvature * y * (1 - y) + floor;
    }
  },
  bound: absoluteMass,
  value(probabilities, labels, first) {
    let loss = 0;
    for (let k = 0; k < probabilities.length; k++) {
      const label = labels[first + k] ?? 0;
      if (label !== 0) loss -= label * Math.log(probabilities[k] ?? 0);
    }
    return loss;
  },
};
