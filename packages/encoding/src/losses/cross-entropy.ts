import { outside } from '../checked-access.js';
import { batchLoss, type Loss } from './loss.js';

/**
 * Cross-entropy `J = −Σ l_q log y_q`.
 *
 * `∂J/∂z_k = (Σ_q l_q)·y_k − l_k`; the familiar `y_k − l_k` only where the label row sums to 1. `∂J/∂y_k = −l_k / y_k`.
 */
export const crossEntropy: Loss = batchLoss(
  ({ label, logProbabilities, probabilities, logitGradient, probabilityGradient }, classes) => {
    const sum = label.reduce((a, b) => a + b, 0);
    let loss = 0;
    for (let k = 0; k < classes; k++) {
      const l = label[k] ?? outside(label, k);
      const y = probabilities[k] ?? outside(probabilities, k);
      loss -= l * (logProbabilities[k] ?? outside(logProbabilities, k));
      logitGradient[k] = sum * y - l;
      probabilityGradient[k] = l === 0 ? 0 : -l / y;
    }
    return loss;
  },
);
