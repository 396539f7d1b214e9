import type { Labels, Values } from './arrays.js';
import { checkClasses, checkFinite, checkLabels, checkShape } from './check-arguments.js';
import { outside } from './checked-access.js';

/**
 * The ordinary confusion matrix: how many instances of class p were taken for class q. The prediction is the largest
 * score; ties go to the lowest class index.
 *
 * @param scores - one row per instance, one column per class; probabilities or logits
 * @param into - counts so far, to accumulate in chunks; left as it was if an argument is bad
 */
export function confusionMatrix(labels: Labels, scores: Values, classes: number, into?: Float64Array): Float64Array {
  checkClasses(classes);
  const instances = checkLabels(labels, classes);
  checkFinite(scores, instances.length, classes, 'scores');
  if (into !== undefined) checkShape(into, classes, classes, 'into');
  const counts = into ?? new Float64Array(classes * classes);
  for (let i = 0; i < instances.length; i++) {
    const label = instances[i] ?? outside(instances, i);
    const cell = label * classes + largestOfRow(scores, i, classes);
    counts[cell] = (counts[cell] ?? outside(counts, cell)) + 1;
  }
  return counts;
}

/** Column of the largest entry of a row; the lowest of several. */
export function largestOfRow(matrix: Values, row: number, columns: number): number {
  const start = row * columns;
  const end = start + columns;
  let best = start;
  let most = matrix[start] ?? outside(matrix, start);
  for (let i = start + 1; i < end; i++) {
    const value = matrix[i] ?? outside(matrix, i);
    if (value > most) {
      most = value;
      best = i;
    }
  }
  return best - start;
}
