import { classCounts, softConfusionMatrix, type Values } from '@evenhand/encoding';

/**
 * The number of instances of every class, once labels and probabilities are checked. A RangeError names the argument, the
 * index and the value at fault: the soft-confusion matrix checks all of it on its way.
 */
export function checkOutputs(labels: Int32Array, probabilities: Values, classes: number): Float64Array {
  softConfusionMatrix(labels, probabilities, classes);
  return classCounts(labels, classes);
}
