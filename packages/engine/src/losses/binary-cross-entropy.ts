import { add, mul, neg, sub } from '../operations/arithmetic.js';
import { softplus } from '../operations/functions.js';
import { type Loss, meanLoss } from './loss.js';

/**
 * Cross-entropy of each output by itself, `−(1/N) Σ l_q log σ(z_q) + (1 − l_q) log(1 − σ(z_q))`: for yes-or-no outputs that do not exclude
 * each other, with `outputs: 'sigmoid'`. Its gradient at the logits is `(σ(z_k) − l_k)/N`.
 */
export const binaryCrossEntropy: Loss = meanLoss(
  'binaryCrossEntropy',
  // −log σ(z) = log(1 + e⁻ᶻ), which is exact however sure the network is
  (logits, labelRows) =>
    add(mul(softplus(neg(logits)), labelRows), mul(softplus(logits), sub(logits.graph.scalar(1), labelRows))),
  (outputs) => 1 / outputs,
);
