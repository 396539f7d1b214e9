import { at } from '../checked-access.js';
import { type Metric, ratio } from './metric.js';
import type { Tally } from './tally.js';

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, i) => sum + value * at(b, i), 0);

const rightOnes = ({ confusion, classes }: Tally) =>
  confusion.reduce((sum, count, i) => (i % (classes + 1) === 0 ? sum + count : sum), 0);

/** Matthews' correlation of labels and predictions, for any number of classes: −1 to 1, 0 is chance. */
export function matthewsCorrelation(counts: Tally): Metric {
  const { instances, support, predicted } = counts;
  const covariance = rightOnes(counts) * instances - dot(support, predicted);
  const spread = (instances ** 2 - dot(support, support)) * (instances ** 2 - dot(predicted, predicted));
  return ratio(
    covariance,
    Math.sqrt(spread),
    'all instances are, or are predicted as, one class: nothing can correlate',
  );
}

/** Cohen's kappa: agreement of labels and predictions beyond what their frequencies alone would give. */
export function cohensKappa(counts: Tally): Metric {
  const { instances, support, predicted } = counts;
  const chance = dot(support, predicted);
  return ratio(
    rightOnes(counts) * instances - chance,
    instances ** 2 - chance,
    'all instances are, and are predicted as, one class: chance alone agrees',
  );
}
