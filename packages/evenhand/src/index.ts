/**
 * Classifiers for imbalanced data: from a table or a folder of images to a model. These are its main functions; each loads what it needs
 * when it is called. The parts of training, for programs that combine them in their own way, are other entry points: `evenhand/data`,
 * `evenhand/evaluation`, `evenhand/config`, `evenhand/predict`, `evenhand/report`.
 *
 * @packageDocumentation
 */
import type { Config, ConfigInput } from './config/schema.js';
import type { Dataset } from './dataset/dataset.js';
import type { OpenModelOptions, Predictor } from './prediction/predictor.js';
import type { CodeVersion } from './runs/code-version.js';
import type { Run } from './runs/run.js';
import type { OpenDatasetOptions } from './sources/open-source.js';
import type { SweepDefinition, SweepInput } from './sweep/definition.js';
import type { SweepOptions, SweepResult } from './sweep/sweep.js';
import type { RunResult } from './training/result.js';
import type { ResumeOptions, TrainOptions } from './training/train.js';
import type { TrainAllOptions } from './trials/train-all.js';
import type { Trial, TrialResult } from './trials/trial.js';

export type { Config, ConfigInput } from './config/schema.js';
export type { Column, ColumnType } from './dataset/column.js';
export type { Dataset, ImageDataset, TableDataset } from './dataset/dataset.js';
export type { Estimate, Interval } from './evaluation/estimate.js';
export type { BinaryEstimates, Estimates, Evaluation } from './evaluation/evaluate.js';
export type { FilePrediction, OpenModelOptions, Prediction, Predictor } from './prediction/predictor.js';
export type { Checkpoint, CheckpointKind, LoadedCheckpoint } from './runs/checkpoint.js';
export type { ClassCounts, RunClasses } from './runs/classes-file.js';
export type { CodeVersion } from './runs/code-version.js';
export type { Environment } from './runs/environment.js';
export type { FittedDecision, Refit, TestEvaluation } from './runs/evaluation-file.js';
export type { EpochGenerator } from './runs/generator-file.js';
export type { ImportanceReport, NamedImportance } from './runs/importance-file.js';
export type { EpochMetrics, ValidationMetrics } from './runs/metrics-file.js';
export type { TestPredictions } from './runs/predictions-file.js';
export type { Progress } from './runs/progress.js';
export type { Run } from './runs/run.js';
export type { OpenDatasetOptions } from './sources/open-source.js';
export type { CellValue, TableRow } from './sources/table-columns.js';
export type { SweepDefinition, SweepInput } from './sweep/definition.js';
export type { TrialOutcome } from './sweep/outcome.js';
export type { SweepEvent, SweepOptions, SweepResult } from './sweep/sweep.js';
export { DivergedError, type Divergence } from './training/diverged.js';
export type { TrainingEvent, TrainingListener } from './training/events.js';
export { InterruptedError, type Interruption, listenForInterruption } from './training/interruption.js';
export type { RunResult } from './training/result.js';
export type { RunOptions } from './training/run-options.js';
export type { ResumeOptions, TrainOptions } from './training/train.js';
export type { Executor, TrialOrder } from './trials/executor.js';
export type { TrainAllOptions } from './trials/train-all.js';
export type { Trial, TrialEvent, TrialResult } from './trials/trial.js';
export { UserError, type UserErrorDetails } from './user-error.js';

/**
 * Trains a classifier: opens and splits the data, trains, evaluates on the test set, and leaves everything in
 * a run folder. The same configuration, data and number of threads give the same bytes.
 *
 * @example
 * ```ts
 * const { evaluation } = await train({ data: { source: 'fraud.csv', target: 'class' } }, { folder: 'runs/first' });
 * evaluation.estimates.balancedAccuracy; // { value: 0.91, interval: { low: 0.87, high: 0.94 } }
 * ```
 * @throws {@link UserError} for input that cannot be used
 * @throws {@link DivergedError} if the loss becomes infinite or NaN
 */
export async function train(config: ConfigInput, options: TrainOptions): Promise<RunResult> {
  return (await import('./training/train.js')).train(config, options);
}

/**
 * Continues a run from its last checkpoint; it ends with the same bytes as it would have without the pause. A complete run
 * is only evaluated again.
 *
 * @throws {@link UserError} if configuration or data are not those of the run, with every difference
 */
export async function resume(folder: string, options: ResumeOptions = {}): Promise<RunResult> {
  return (await import('./training/train.js')).resume(folder, options);
}

/**
 * Trains many runs, several at a time, each in a process of its own. It may be stopped or killed at any moment and called
 * again: finished runs are not repeated, and unfinished ones continue from their last checkpoints, to the same bytes as undisturbed runs.
 *
 * @example
 * ```ts
 * const results = await trainAll(
 *   [0, 1, 2].map((seed) => ({ key: `seed-${seed}`, config: { data: { source: 'fraud.csv', target: 'class' }, seed } })),
 *   { folder: 'runs/seeds' },
 * );
 * results.map(({ status }) => status); // ['done', 'done', 'done']
 * ```
 * @returns the result of every trial, in their order; one that fails does not stop the others
 * @throws {@link UserError} if another process uses the folder, or a configuration cannot be used
 */
export async function trainAll<Given extends Omit<Trial, 'config'> & { readonly config: ConfigInput }>(
  trials: readonly Given[],
  options: TrainAllOptions<Given & { readonly config: Config }>,
): Promise<TrialResult<Given & { readonly config: Config }>[]> {
  return (await import('./trials/train-all.js')).trainAll(trials, options);
}

/**
 * Searches for good values of options on validation sets alone: no trial ever looks at the test set. Killed at any moment
 * and called again with the same definition and folder, it continues and comes to the same results.
 *
 * @example
 * ```ts
 * const { trials } = await sweep(
 *   {
 *     config: { data: { source: 'fraud.csv', target: 'class' } },
 *     search: { 'optimizer.learningRate': { from: 1e-4, to: 0.1, scale: 'log' }, 'method.enhancementRate': [1, 3, 10] },
 *   },
 *   { folder: 'sweeps/fraud' },
 * );
 * trials[0]?.values; // { 'optimizer.learningRate': 0.0031, 'method.enhancementRate': 3 }
 * ```
 * @throws {@link UserError} if something cannot be searched or trained, or if the folder holds another sweep
 */
export async function sweep(input: SweepInput | SweepDefinition, options: SweepOptions): Promise<SweepResult> {
  return (await import('./sweep/sweep.js')).sweep(input, options);
}

/**
 * Opens a run folder for reading, whether its training is over or not.
 *
 * @example
 * ```ts
 * const run = await openRun('runs/fraud');
 * const { estimates } = await run.evaluation();
 * const curve = (await run.metrics()).map(({ validation }) => validation.softAccuracy);
 * ```
 * @throws {@link UserError} if the folder holds no run
 */
export async function openRun(folder: string): Promise<Run> {
  return (await import('./runs/run.js')).openRun(folder);
}

/**
 * Opens a `model.onnx` that a training run wrote, given as a path or as bytes.
 *
 * @example
 * ```ts
 * const model = await openModel('runs/first/model.onnx');
 * const { labels, probabilities } = await model.predictFile('new-customers.csv');
 * const { labels: answers } = await model.predictRows([{ age: 42, city: 'Oslo' }]);
 * ```
 * @throws {@link UserError} if the file is not an ONNX model, is damaged, has external data, or was not written by Evenhand
 */
export async function openModel(file: string | Uint8Array, options: OpenModelOptions = {}): Promise<Predictor> {
  return (await import('./prediction/predictor.js')).openModel(file, options);
}

/**
 * Opens the data of a configuration: a table, a folder of images, or a known data set.
 *
 * @throws {@link UserError} if it cannot be read
 */
export async function openDataset(data: Config['data'], options: OpenDatasetOptions = {}): Promise<Dataset> {
  return (await import('./sources/open-source.js')).openDataset(data, options);
}

/**
 * Finds out which code computes here, for results that should say what they were computed by: the commit, and a fingerprint of the engine
 * that is the same wherever three fixed steps of a small fixed network come to the same bytes.
 */
export async function codeVersion(): Promise<CodeVersion> {
  return (await import('./runs/code-version.js')).codeVersion();
}
