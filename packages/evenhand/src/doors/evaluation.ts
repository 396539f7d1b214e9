/**
 * How good a classifier is, how sure that is, and how its probabilities become answers. `evenhand/evaluation`.
 *
 * @packageDocumentation
 */
export type { Estimate, Interval } from '../evaluation/estimate.js';
export {
  type BinaryEstimates,
  type Estimates,
  type EvaluateOptions,
  type Evaluation,
  evaluate,
} from '../evaluation/evaluate.js';
export { comparePaired, type PairedComparison, type PairedOptions } from '../evaluation/paired-comparison.js';
export { sampleStatistics } from '../evaluation/sample-statistics.js';
export { type FittedTemperature, fitTemperature, withTemperature } from '../evaluation/temperature.js';
export { type FittedThreshold, fitThreshold, positiveClass, type ThresholdObjective } from '../evaluation/threshold.js';
