import type { Tensor } from '../graph/graph.js';
import { ShapeError } from '../graph/shape.js';
import { mul } from '../operations/arithmetic.js';
import { pow } from '../operations/functions.js';
import { oneMinusExp } from '../operations/one-minus-exp.js';
import { logSoftmax } from '../operations/softmax.js';
import { type Loss, meanLoss } from './loss.js';

/** How a {@link focal} loss is set. */
export interface FocalOptions {
  /** γ ≥ 0: how much less an instance counts the better it is predicted. 0 is cross-entropy. */
  readonly gamma: number;
  /** α, a weight for every class. @defaultValue all 1 */
  readonly alpha?: readonly number[];
}

/** Focal loss `−Σ α_q l_q (1−y_q)^γ log y_q`. */
export function focal({ gamma, alpha }: FocalOptions): Loss {
  if (!(gamma >= 0 && Number.isFinite(gamma))) throw new RangeError(`gamma is ${gamma}; expected a number from 0`);
  const wrong = alpha?.findIndex((weight) => !Number.isFinite(weight)) ?? -1;
  if (wrong !== -1) throw new RangeError(`alpha[${wrong}] is ${alpha?.[wrong]}; expected a number`);
  return meanLoss(
    'focal',
    (logits, labelRows) => {
      const logY = logSoftmax(logits);
      const rows = alpha === undefined ? labelRows : mul(labelRows, classVector(logits, alpha));
      const entropy = mul(logY, rows);
      return gamma === 0 ? entropy : mul(entropy, power(oneMinusExp(logY), gamma));
    },
    () => -1,
  );
}

/** `xᵞ`, by multiplication where that does: Pow is many times slower, and so is that of the gradient. */
function power(x: Tensor, gamma: number): Tensor {
  if (gamma === 1) return x;
  return gamma === 2 ? mul(x, x) : pow(x, gamma);
}

function classVector({ graph, shape }: Tensor, alpha: readonly number[]): Tensor {
  if (alpha.length !== shape[1]) {
    throw new ShapeError(`alpha has ${alpha.length} weights; expected one for each of the ${shape[1]} classes`);
  }
  return graph.constant(Float32Array.from(alpha));
}
