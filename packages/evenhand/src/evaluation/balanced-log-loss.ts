import { at } from '../checked-access.js';

/** Softmax in float32 gives 0 for anything smaller. */
const SMALLEST_PROBABILITY = 2 ** -126;

/**
 * The −log p of every row's right class, with probabilities as they would be if all classes were equally common.
 *
 * @param probabilities - `[rows, classes]`
 * @param assumedLogPrior - how common the probabilities take the classes to be
 */
export function balancedLosses(
  labels: Int32Array,
  probabilities: Float32Array,
  classes: number,
  assumedLogPrior: ArrayLike<number>,
): Float64Array {
  const factors = Float64Array.from(assumedLogPrior, (logShare) => Math.exp(-logShare));
  return Float64Array.from(labels, (label, i) => {
    let [total, own] = [0, 0];
    for (let q = 0; q < classes; q++) {
      const share = Math.max(at(probabilities, i * classes + q), SMALLEST_PROBABILITY) * at(factors, q);
      total += share;
      if (q === label) own = share;
    }
    return -Math.log(own / total);
  });
}
