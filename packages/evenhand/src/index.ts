/**
 * Classifiers for imbalanced data: sources, splits, training runs, evaluation and prediction.
 *
 * @packageDocumentation
 */
export { type ConfigDifference, configDifference } from './config/difference.js';
export { parseConfig } from './config/parse.js';
export { type Config, type ConfigInput, configJsonSchema } from './config/schema.js';
export type { Column, ColumnType } from './dataset/column.js';
export type { Dataset, ImageDataset, TableDataset } from './dataset/dataset.js';
export type { Estimate, Interval } from './evaluation/estimate.js';
export {
  type BinaryEstimates,
  type Estimates,
  type EvaluateOptions,
  type Evaluation,
  evaluate,
} from './evaluation/evaluate.js';
export { comparePaired, type PairedComparison } from './evaluation/paired-comparison.js';
export { type FittedTemperature, fitTemperature, withTemperature } from './evaluation/temperature.js';
export { type FittedThreshold, fitThreshold, positiveClass, type ThresholdObjective } from './evaluation/threshold.js';
export { decodeImage } from './images/decode-image.js';
export { adjustProbabilities } from './methods/adjust-probabilities.js';
export { epochOrder } from './methods/epoch-order.js';
export type {
  EpochLabels,
  EpochSteps,
  Method,
  MethodContext,
  Observation,
  PredictionAdjustment,
  PreparedMethod,
  Sampling,
} from './methods/method.js';
export { isMethodName, type MethodName, methods } from './methods/registry.js';
export { classIndices } from './prediction/class-indices.js';
export type { Decision } from './prediction/decision.js';
export { exportImageModel, exportTableModel } from './prediction/export-model.js';
export { type FilePrediction, openModel, type Prediction, type Predictor } from './prediction/predictor.js';
export { applyTablePreprocessing } from './preprocessing/apply-table.js';
export { type AugmentationOptions, augment, type BatchPosition } from './preprocessing/augmentation.js';
export { fitTablePreprocessing } from './preprocessing/fit-table.js';
export { imageNormalisation } from './preprocessing/image-normalisation.js';
export type {
  DatePart,
  FeatureRule,
  ImagePreprocessing,
  Preprocessing,
  TablePreprocessing,
} from './preprocessing/preprocessing.js';
export { networkInput } from './preprocessing/table-features.js';
export { type ComparisonOptions, writeComparison } from './report/write-comparison.js';
export { type ReportOptions, writeReport } from './report/write-report.js';
export type { Checkpoint, CheckpointKind, LoadedCheckpoint } from './runs/checkpoint.js';
export { describeEnvironment, type Environment } from './runs/environment.js';
export { InterruptedError, type Interruption, listenForInterruption } from './runs/interruption.js';
export type { Progress } from './runs/progress.js';
export { RunFolder } from './runs/run-folder.js';
export { type ResumedRun, type RunSetting, RunWriter, type TrainingProgress } from './runs/run-writer.js';
export { readCaltech101 } from './sources/caltech101.js';
export { readCifar10 } from './sources/cifar10.js';
export { dataFolder } from './sources/data-folder.js';
export { type FetchableDataset, fetchDataset } from './sources/fetch.js';
export { type ImageFolderOptions, readImageFolder } from './sources/image-folder.js';
export { readFashionMnist, readMnist } from './sources/mnist.js';
export { type OpenDatasetOptions, openDataset } from './sources/open-source.js';
export type { FetchOptions } from './sources/packaged-dataset.js';
export type { ReadColumns, ReadColumnsOptions } from './sources/table-columns.js';
export { readTableFile, type TableFileOptions } from './sources/table-file.js';
export type { ImbalanceProfile } from './splits/imbalance/imbalance-profile.js';
export { type RareClassRule, treatRareClasses } from './splits/rare-classes.js';
export { type Split, splitDataset } from './splits/split-dataset.js';
export type { SplitOptions } from './splits/split-options.js';
export type { SweepDefinition, SweepInput } from './sweep/definition.js';
export type { TrialOutcome } from './sweep/outcome.js';
export { writeSweepPage } from './sweep/page/write-sweep-page.js';
export { type SweepEvent, type SweepOptions, type SweepResult, sweep } from './sweep/sweep.js';
export type { FittedDecision } from './training/decide.js';
export { DivergedError } from './training/diverged.js';
export type { EpochMetrics, TrainingEvent, TrainingListener } from './training/events.js';
export type { RunResult, TestEvaluation } from './training/result.js';
export { type ResumeOptions, type RunOptions, resume, type TrainOptions, train } from './training/train.js';
export type { ValidationMetrics } from './training/validation.js';
export { UserError } from './user-error.js';
