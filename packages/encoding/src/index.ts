/**
 * Enhancement encoding for imbalanced classification, for any classifier in any framework.
 *
 * @packageDocumentation
 */
export type { Labels, RowBuffer, Values } from './arrays.js';
export { confusionMatrix } from './confusion-matrix.js';
export { costMatrix, normaliseRows } from './cost-matrix.js';
export type { EncoderJSON, SavedRate } from './encoder-json.js';
export {
  DEFAULT_ENHANCEMENT_RATE,
  DEFAULT_UPDATING_RATE,
  type EncoderOptions,
  EnhancementEncoder,
  type Schedules,
} from './enhancement-encoder.js';
export { type EncodingPart, type GeneratorUpdate, identityMatrix, updateGeneratorMatrix } from './generator-matrix.js';
export { encodeLabels, labelBuffer } from './label-encoding.js';
export { backPropagationChange } from './losses/back-propagation-change.js';
export { crossEntropy } from './losses/cross-entropy.js';
export { type FocalOptions, focal } from './losses/focal.js';
export type { Loss, LossResult } from './losses/loss.js';
export { meanSquareError } from './losses/mean-square-error.js';
export type { Averages } from './metrics/averages.js';
export type { CalibrationBin } from './metrics/calibration.js';
export type { ClassMetrics } from './metrics/class-metrics.js';
export {
  type ClassificationReport,
  classificationReport,
  type ReportOptions,
} from './metrics/classification-report.js';
export type { MinorityMetric, ShotGroups } from './metrics/groups.js';
export type { Metric } from './metrics/metric.js';
export type { RankingMetrics } from './metrics/ranking.js';
export { reportTable } from './metrics/report-table.js';
export { lookAhead } from './rates/look-ahead.js';
export type { EpochRates, Rate, RateContext, RateFunction, RateName, RateValue } from './rates/rate.js';
export { AUTOMATIC_RATES } from './rates/rate-of-epoch.js';
export { noiseGains, type RowFilterState } from './rates/row-filter.js';
export { DEFAULT_PUSH, type SteadyPushOptions, steadyPush } from './rates/steady-push.js';
export { classCounts, softConfusionMatrix } from './soft-confusion-matrix.js';
