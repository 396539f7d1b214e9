import { mul } from '../operations/arithmetic.js';
import { logSoftmax } from '../operations/softmax.js';
import { type Loss, meanLoss } from './loss.js';

/**
 * Cross-entropy `−Σ l_q log y_q`. Its gradient at the logits is `(Σ_q l_q)·y_k − l_k`, which shortens to `y_k − l_k` only
 * where the label row sums to 1.
 */
export const crossEntropy: Loss = meanLoss(
  'crossEntropy',
  (logits, labelRows) => mul(logSoftmax(logits), labelRows),
  () => -1,
);
