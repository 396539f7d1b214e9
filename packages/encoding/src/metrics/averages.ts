import type { ClassMetrics } from './class-metrics.js';
import { type Metric, metric, weightedMean } from './metric.js';

/** The metrics that are averaged over classes. */
export const AVERAGED = [
  'recall',
  'precision',
  'specificity',
  'f1',
  'gMean',
  'indexBalancedAccuracy',
  'rocAuc',
  'averagePrecision',
] as const;

export type Averages = Readonly<Record<(typeof AVERAGED)[number], Metric>>;

/**
 * Means over the classes that have instances. A class that is never predicted has no precision; it enters the mean
 * with 0, as in scikit-learn, because ignoring a class must not raise an average.
 */
export function averages(classes: readonly ClassMetrics[], weight: (item: ClassMetrics) => number): Averages {
  const present = classes.filter((item) => item.support > 0);
  const mean = (key: keyof Averages) =>
    weightedMean(
      present,
      (item) => (key === 'precision' && item.predicted === 0 ? metric(0) : item[key]),
      weight,
      'no class has an instance',
    );
  return {
    recall: mean('recall'),
    precision: mean('precision'),
    specificity: mean('specificity'),
    f1: mean('f1'),
    gMean: mean('gMean'),
    indexBalancedAccuracy: mean('indexBalancedAccuracy'),
    rocAuc: mean('rocAuc'),
    averagePrecision: mean('averagePrecision'),
  };
}
