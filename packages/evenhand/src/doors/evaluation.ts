/**
 * How good a classifier is, how sure that is, and how its probabilities become answers. `evenhand/evaluation`.
 *
 * @packageDocumentation
 */
export { type AnswerRule, answersOf } from '../decision/answer-rule.js';
export {
  type Calibration,
  type CalibrationOptions,
  fitCalibration,
  logProbabilities,
  withCalibration,
} from '../decision/calibration.js';
export { type FittedAnswers, fitAnswers } from '../decision/fit-answers.js';
export type { FittingOptions } from '../decision/fitting-rows.js';
export type { Objective } from '../decision/objective.js';
export type { Costs } from '../evaluation/costs.js';
export type { Estimate, Interval } from '../evaluation/estimate.js';
export {
  type BinaryEstimates,
  type Estimates,
  type EvaluateOptions,
  type Evaluation,
  evaluate,
} from '../evaluation/evaluate.js';
export { comparePaired, type PairedComparison, type PairedOptions } from '../evaluation/paired-comparison.js';
export { positiveClass } from '../evaluation/positive-class.js';
export { sampleStatistics } from '../evaluation/sample-statistics.js';
