import type { Values } from '../arrays.js';
import { checkFinite, checkNumber } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { batchLoss, type Loss, throughSoftmax } from './loss.js';

export interface FocalOptions {
  /** γ ≥ 0: how much less an instance counts the better it is predicted. 0 is cross-entropy. */
  readonly gamma: number;
  /** α, a weight for every class. @defaultValue all 1 */
  readonly alpha?: Values;
}

/**
 * Focal loss `J = −Σ α_q l_q (1−y_q)^γ log y_q`.
 *
 * `y_k·∂J/∂y_k = α_k l_k (γ (1−y_k)^(γ−1) y_k log y_k − (1−y_k)^γ)`, then the chain rule through softmax.
 */
export function focal(options: FocalOptions): Loss {
  const { gamma, alpha } = options;
  checkNumber(gamma, 0, Number.POSITIVE_INFINITY, 'gamma');

  const loss = batchLoss(({ label, logProbabilities, probabilities, logitGradient, probabilityGradient }, classes) => {
    const scaled = new Float64Array(classes);
    let total = 0;
    for (let k = 0; k < classes; k++) {
      const weight = (alpha === undefined ? 1 : (alpha[k] ?? outside(alpha, k))) * (label[k] ?? outside(label, k));
      const logY = logProbabilities[k] ?? outside(logProbabilities, k);
      const y = probabilities[k] ?? outside(probabilities, k);
      const rest = -Math.expm1(logY); // 1 − y without cancellation
      const focus = rest ** gamma;
      // (1−y)^(γ−1)·log y → −(1−y)^γ as y → 1: no division by zero there
      const slope = rest === 0 ? -focus : rest ** (gamma - 1) * logY;
      total -= weight * focus * logY;
      const t = weight * (gamma * slope * y - focus);
      scaled[k] = t;
      probabilityGradient[k] = weight === 0 ? 0 : t / y;
    }
    throughSoftmax(scaled, probabilities, logitGradient);
    return total;
  });

  return (logits, labelRows, classes) => {
    if (alpha !== undefined) checkFinite(alpha, 1, classes, 'alpha');
    return loss(logits, labelRows, classes);
  };
}
