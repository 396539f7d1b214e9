import { mul, sub } from '../operations/arithmetic.js';
import { type Loss, meanLoss } from './loss.js';

/** Mean square error of the outputs as they are, `(1/N) Σ (z_q − l_q)²`: for regression, with `outputs: 'raw'`. */
export const squaredError: Loss = meanLoss(
  'squaredError',
  (outputs, targets) => {
    const difference = sub(outputs, targets);
    return mul(difference, difference);
  },
  (outputs) => 1 / outputs,
);
