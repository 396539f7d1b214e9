import type { Labels, NumberLabels, Values } from './arrays.js';
import {
  checkClasses,
  checkLabels,
  checkProbabilities,
  checkShape,
  PROBABILITY_TOLERANCE,
  probabilityError,
} from './check-arguments.js';
import { addRows } from './kernel/kernel.js';

/**
 * How a classifier spreads probability over classes: `S = LᵀY`, that is `s[p,q] = Σ_{i∈D_p} P(q|x_i)`.
 *
 * Sums are float64 whatever the probabilities are. To accumulate in chunks, hand the matrix of the chunks before as
 * `into`: the result is the same, bit for bit, as that of one call with everything. If an argument is bad, `into` is left
 * as it was.
 *
 * @param labels - the true class of every instance
 * @param probabilities - a row an instance, a column a class: the softmax output
 * @returns `classes × classes`, row p for true class p; `into` if that is given
 *
 * @example
 * ```ts
 * softConfusionMatrix([0, 1, 1], [0.8, 0.2, 0.4, 0.6, 0.1, 0.9], 2); // [0.8, 0.2, 0.5, 1.5]
 * ```
 */
export function softConfusionMatrix(
  labels: Labels,
  probabilities: Values,
  classes: number,
  into?: Float64Array,
): Float64Array {
  checkClasses(classes);
  const instances = checkLabels(labels, classes);
  checkShape(probabilities, instances.length, classes, 'probabilities');
  if (into !== undefined) checkShape(into, classes, classes, 'into');
  const sums = into ?? new Float64Array(classes * classes);

  if (probabilities instanceof Float32Array) {
    const good = addRows(instances, probabilities, classes, sums, PROBABILITY_TOLERANCE);
    if (good === instances.length) return sums;
    if (good !== null) throw probabilityError(probabilities, good, classes, 'probabilities');
  }
  checkProbabilities(probabilities, instances.length, classes);
  addCheckedRows(instances, probabilities, classes, sums);
  return sums;
}

function addCheckedRows(labels: NumberLabels, probabilities: Values, classes: number, sums: Float64Array): void {
  for (let i = 0, from = 0; i < labels.length; i++) {
    let to = (labels[i] ?? 0) * classes;
    const end = to + classes;
    for (; to < end; to++, from++) sums[to] = (sums[to] ?? 0) + (probabilities[from] ?? 0);
  }
}

/** How many instances each class has. Counts add to `into` if that is given. */
export function classCounts(labels: Labels, classes: number, into?: Float64Array): Float64Array {
  checkClasses(classes);
  const instances = checkLabels(labels, classes);
  if (into !== undefined) checkShape(into, 1, classes, 'into');
  const counts = into ?? new Float64Array(classes);
  for (let i = 0; i < instances.length; i++) {
    const label = instances[i] ?? 0;
    counts[label] = (counts[label] ?? 0) + 1;
  }
  return counts;
}
