import { outside } from '../checked-access.js';
import { batchLoss, type Loss, throughSoftmax } from './loss.js';

/** Mean square error `J = (1/N) Σ (y_q − l_q)²` with `∂J/∂y_k = (2/N)·(y_k − l_k)`. */
export const meanSquareError: Loss = batchLoss(
  ({ label, probabilities, logitGradient, probabilityGradient }, classes) => {
    let loss = 0;
    for (let k = 0; k < classes; k++) {
      const difference = (probabilities[k] ?? outside(probabilities, k)) - (label[k] ?? outside(label, k));
      loss += difference ** 2 / classes;
      probabilityGradient[k] = (2 / classes) * difference;
    }
    throughSoftmax(
      probabilityGradient.map((g, k) => g * (probabilities[k] ?? outside(probabilities, k))),
      probabilities,
      logitGradient,
    );
    return loss;
  },
);
