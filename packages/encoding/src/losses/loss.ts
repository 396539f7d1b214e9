import type { Values } from '../arrays.js';
import { checkClasses, checkFinite } from '../check-arguments.js';
import { outside } from '../checked-access.js';

/** The loss of a batch and its gradients. */
export interface LossResult {
  /** Mean over the batch. It can be negative if label rows have negative entries. */
  readonly loss: number;
  /** `∂loss/∂z`, at the logits. */
  readonly logitGradient: Float64Array;
  /** `∂loss/∂y`, at the probabilities that softmax makes of the logits. */
  readonly probabilityGradient: Float64Array;
}

/**
 * A loss of logits against label rows. Label rows are general: entries may be negative or above 1, and a row need not
 * sum to 1.
 */
export type Loss = (logits: Values, labelRows: Values, classes: number) => LossResult;

/** What a loss is for one instance; {@link batchLoss} does the rest. */
export interface LossRow {
  /** `log y`, from log-softmax: exact where y itself has underflowed. */
  readonly logProbabilities: Float64Array;
  readonly probabilities: Float64Array;
  readonly label: Float64Array;
  /** To fill: `∂J/∂z` and `∂J/∂y` of this instance. */
  readonly logitGradient: Float64Array;
  readonly probabilityGradient: Float64Array;
}

/** Makes a {@link Loss} of a function that computes one instance's loss and fills its gradients. */
export function batchLoss(instanceLoss: (row: LossRow, classes: number) => number): Loss {
  return (logits, labelRows, classes) => {
    checkClasses(classes);
    const count = Math.floor(logits?.length / classes);
    if (!(count > 0))
      throw new RangeError(`logits has length ${String(logits?.length)}; expected at least one row of ${classes}`);
    checkFinite(logits, count, classes, 'logits');
    checkFinite(labelRows, count, classes, 'labelRows');

    const allLogits = Float64Array.from(logits);
    const allLabelRows = Float64Array.from(labelRows);
    const logitGradient = new Float64Array(count * classes);
    const probabilityGradient = new Float64Array(count * classes);
    let total = 0;
    for (let i = 0; i < count; i++) {
      const row = (matrix: Float64Array) => matrix.subarray(i * classes, (i + 1) * classes);
      const logProbabilities = logSoftmax(row(allLogits));
      total += instanceLoss(
        {
          logProbabilities,
          probabilities: logProbabilities.map(Math.exp),
          label: row(allLabelRows),
          logitGradient: row(logitGradient),
          probabilityGradient: row(probabilityGradient),
        },
        classes,
      );
    }
    const mean = (value: number) => value / count;
    return {
      loss: total / count,
      logitGradient: logitGradient.map(mean),
      probabilityGradient: probabilityGradient.map(mean),
    };
  };
}

/** `z − log Σ exp z`, shifted by the largest logit so that nothing overflows. */
function logSoftmax(logits: Float64Array): Float64Array {
  const most = logits.reduce((a, b) => Math.max(a, b));
  const logSum = most + Math.log(logits.reduce((sum, z) => sum + Math.exp(z - most), 0));
  return logits.map((z) => z - logSum);
}

/** Chain rule through softmax for a loss given by `t_k = y_k·∂J/∂y_k`: `∂J/∂z_k = t_k − y_k·Σ_q t_q`. */
export function throughSoftmax(scaled: Float64Array, probabilities: Float64Array, into: Float64Array): void {
  const sum = scaled.reduce((a, b) => a + b, 0);
  into.set(scaled.map((t, k) => t - (probabilities[k] ?? outside(probabilities, k)) * sum));
}
