import { classCounts, softConfusionMatrix } from '@evenhand/encoding';

/** What the network, as it is, makes of the validation set. */
export interface ValidationMetrics {
  /** Mean of the soft recalls of the classes that the validation set has: the mean diagonal of S'. */
  readonly softAccuracy: number;
  /** Share of the instances whose likeliest class is the right one; of equally likely ones, the first counts. */
  readonly accuracy: number;
  /** `S'[p,p]`, the mean probability of class p over its instances; null where the validation set has none. */
  readonly softRecall: readonly (number | null)[];
}

/** @param probabilities - `[instances, classes]`, as predictions are made of them */
export function validationMetrics(labels: Int32Array, probabilities: Float32Array, classes: number): ValidationMetrics {
  const confusion = softConfusionMatrix(labels, probabilities, classes);
  const softRecall = Array.from(classCounts(labels, classes), (count, p) =>
    count === 0 ? null : (confusion[p * classes + p] ?? 0) / count,
  );
  const present = softRecall.filter((recall) => recall !== null);
  const right = labels.reduce((sum, label, i) => sum + (likeliest(probabilities, i, classes) === label ? 1 : 0), 0);
  return {
    softAccuracy: present.reduce((sum, recall) => sum + recall, 0) / present.length,
    accuracy: right / labels.length,
    softRecall,
  };
}

/** The class with the highest score of an instance; of equal ones, the first. */
export function likeliest(scores: ArrayLike<number>, instance: number, classes: number): number {
  let best = 0;
  for (let q = 1; q < classes; q++) {
    if ((scores[instance * classes + q] ?? 0) > (scores[instance * classes + best] ?? 0)) best = q;
  }
  return best;
}
