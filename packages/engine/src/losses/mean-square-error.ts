import { mul, sub } from '../operations/arithmetic.js';
import { softmax } from '../operations/softmax.js';
import { type Loss, meanLoss } from './loss.js';

/** Mean square error of the probabilities, `(1/N) Σ (y_q − l_q)²`. */
export const meanSquareError: Loss = meanLoss(
  'meanSquareError',
  (logits, labelRows) => {
    const difference = sub(softmax(logits), labelRows);
    return mul(difference, difference);
  },
  (classes) => 1 / classes,
);
