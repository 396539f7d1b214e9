import type { Labels, Values } from '../arrays.js';
import { checkSomeLabels, checkSquare } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { identityMatrix } from '../generator-matrix.js';
import { encodeLabels } from '../label-encoding.js';
import type { Loss } from './loss.js';

/**
 * What encoding changes in back-propagation, DBP of the paper's appendix: for every instance and class, how much harder
 * a step pushes the logit (or the probability) up than it would with one-hot labels.
 *
 * With μ = 1 it is `−ε·c[p,k]` at the logits for cross-entropy, and `−2ε·c[p,k]/N` at the probabilities for mean square
 * error: up for the true class, down for the classes it is mistaken for, more so for classes that do badly.
 *
 * @param at - where to look
 * @returns one row per instance, one column per class
 */
export function backPropagationChange(
  loss: Loss,
  logits: Values,
  labels: Labels,
  generator: Values,
  at: 'logits' | 'probabilities' = 'logits',
): Float64Array {
  const classes = checkSquare(generator, 'generator');
  const instances = checkSomeLabels(labels, classes);
  const rows = (matrix: Values) => encodeLabels(instances, matrix, new Float64Array(instances.length * classes));
  const encoded = loss(logits, rows(generator), classes);
  const oneHot = loss(logits, rows(identityMatrix(classes)), classes);
  const [after, before] =
    at === 'logits'
      ? [encoded.logitGradient, oneHot.logitGradient]
      : [encoded.probabilityGradient, oneHot.probabilityGradient];
  // The losses are means over the batch; DBP is per instance.
  return after.map((gradient, i) => instances.length * ((before[i] ?? outside(before, i)) - gradient));
}
