const SMALLEST = 8;
/** An epoch of fewer steps than this learns too little. */
const FEWEST_STEPS = 4;
const LARGEST_EVALUATION = 256;
const SMALLEST_EVALUATION = 16;
/** Values of an instance above which many at once would need too much memory. */
const LARGE_INSTANCE = 20_000;
const EVALUATION_OF_LARGE = 32;

/**
 * Instances in a step: what was asked for, but of small data at most the largest power of two that is no more than a quarter
 * of an epoch's instances, and at least 8.
 *
 * @param instances - in an epoch
 */
export function effectiveBatchSize(asked: number, instances: number): number {
  const quarter = 2 ** Math.floor(Math.log2(Math.max(1, instances / FEWEST_STEPS)));
  return Math.min(asked, Math.max(SMALLEST, quarter));
}

/** Instances that are predicted at once: as many as the validation set has, for it is predicted before every epoch. */
export function evaluationBatchSize(validationInstances: number, valuesOfInstance: number): number {
  const least = 2 ** Math.ceil(Math.log2(Math.max(SMALLEST_EVALUATION, validationInstances)));
  return Math.min(least, valuesOfInstance > LARGE_INSTANCE ? EVALUATION_OF_LARGE : LARGEST_EVALUATION);
}
