import type { Labels, Values } from './arrays.js';
import { checkClasses, checkLabels, checkShape, PROBABILITY_TOLERANCE, probabilityError } from './check-arguments.js';
import { outside } from './checked-access.js';

/**
 * How a classifier spreads probability over classes: `S = LᵀY`, that is `s[p,q] = Σ_{i∈D_p} P(q|x_i)`.
 *
 * Sums are float64 whatever the probabilities are. To accumulate in chunks, hand the matrix of the chunks before as
 * `into`: the result is the same, bit for bit, as that of one call with everything. If an argument is bad, `into` is left
 * as it was.
 *
 * @param labels - the true class of every instance
 * @param probabilities - one row per instance, one column per class: the softmax output
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
  const sums = into ?? new Float64Array(classes ** 2);
  /** Rows as they were before this call, by class; those it did not touch are undefined. */
  const before = new Array<Float64Array | undefined>(classes).fill(undefined);
  for (let i = 0, from = 0; i < instances.length; i++) {
    const label = instances[i] ?? outside(instances, i);
    const start = label * classes;
    const end = start + classes;
    if (before[label] === undefined) before[label] = sums.slice(start, end);
    let total = 0;
    let negative = false;
    for (let to = start; to < end; to++, from++) {
      const probability = probabilities[from] ?? Number.NaN; // a hole is refused like NaN, below
      if (probability < 0) negative = true;
      total += probability;
      sums[to] = (sums[to] ?? outside(sums, to)) + probability;
    }
    if (negative || !(Math.abs(total - 1) <= PROBABILITY_TOLERANCE)) {
      // A closure here would keep `sums` out of registers in the loops above.
      for (const [p, row] of before.entries()) if (row !== undefined) sums.set(row, p * classes);
      throw probabilityError(probabilities, i, classes, 'probabilities');
    }
  }
  return sums;
}

/** How many instances each class has. Counts add to `into` if that is given. */
export function classCounts(labels: Labels, classes: number, into?: Float64Array): Float64Array {
  checkClasses(classes);
  const instances = checkLabels(labels, classes);
  if (into !== undefined) checkShape(into, 1, classes, 'into');
  const counts = into ?? new Float64Array(classes);
  for (let i = 0; i < instances.length; i++) {
    const label = instances[i] ?? outside(instances, i);
    counts[label] = (counts[label] ?? outside(counts, label)) + 1;
  }
  return counts;
}
