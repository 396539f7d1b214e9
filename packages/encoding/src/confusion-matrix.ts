import type { Labels, Values } from './arrays.js';
import { checkClasses, checkFinite, checkLabels, checkShape } from './check-arguments.js';

/**
 * The ordinary confusion matrix: how many instances of class p were taken for class q. The prediction is the largest
 * score; ties go to the lowest class index.
 *
 * @param scores - a row an instance, a column a class; probabilities or logits
 * @param into - counts so far, to accumulate in chunks; left as it was if an argument is bad
 */
export function confusionMatrix(labels: Labels, scores: Values, classes: number, into?: Float64Array): Float64Array {
  checkClasses(classes);
  const instances = checkLabels(labels, classes);
  checkFinite(scores, instances.length, classes, 'scores');
  if (into !== undefined) checkShape(into, classes, classes, 'into');
  const counts = into ?? new Float64Array(classes * classes);
  for (let i = 0; i < instances.length; i++) {
    const cell = (instances[i] ?? 0) * classes + largestOfRow(scores, i, classes);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  return counts;
}

/** Column of the largest entry of a row; the lowest of several. */
export function largestOfRow(matrix: Values, row: number, columns: number): number {
  const start = row * columns;
  let best = 0;
  let most = matrix[start] ?? Number.NEGATIVE_INFINITY;
  for (let q = 1; q < columns; q++) {
    const value = matrix[start + q] ?? Number.NEGATIVE_INFINITY;
    if (value > most) {
      most = value;
      best = q;
    }
  }
  return best;
}
