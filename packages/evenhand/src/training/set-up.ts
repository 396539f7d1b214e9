import { availableParallelism } from 'node:os';
import { type Program, ShapeError, type schedules } from '@evenhand/engine';
import { at } from '../checked-access.js';
import type { NetworkConfig } from '../config/schema.js';
import type { Dataset } from '../dataset/dataset.js';
import { countByClass } from '../dataset/instances.js';
import { scaledLogPrior } from '../methods/log-prior.js';
import type { PreparedMethod } from '../methods/method.js';
import { methods } from '../methods/registry.js';
import type { ClassCounts } from '../runs/classes-file.js';
import { describeEnvironment, type Environment } from '../runs/environment.js';
import { openDataset } from '../sources/open-source.js';
import { treatRareClasses } from '../splits/rare-classes.js';
import { type Split, splitDataset } from '../splits/split-dataset.js';
import { UserError } from '../user-error.js';
import { objectiveOf } from './decide.js';
import { epochBatches } from './epoch-batches.js';
import type { TrainingListener } from './events.js';
import { type Instances, prepareInstances } from './instances.js';
import { learningRateOfStep } from './learning-rate.js';
import { type Measuring, measuringOf } from './measuring.js';
import { checkLabelMemory } from './memory-estimate.js';
import { lossOf, programOf } from './program.js';

/** All that training needs, before its first step. */
export interface TrainingSetup {
  readonly config: NetworkConfig;
  readonly dataset: Dataset;
  readonly split: Split;
  /** Instances of every class in each part of the split. */
  readonly counts: ClassCounts;
  readonly instances: Instances;
  readonly method: PreparedMethod;
  /** How common the answers take the classes to be. */
  readonly assumedLogPrior: Float32Array;
  readonly program: Program;
  /** Of the longest epoch; the steps of all are counted as if they were as long. */
  readonly stepsPerEpoch: number;
  readonly stepsIn: (epoch: number) => number;
  /** The first epoch in which the validation instances train too, with the labels of the epoch before; infinite if there is none. */
  readonly giveBackFrom: number;
  /** Of a step, counted from the start of training. */
  readonly learningRate: schedules.Schedule;
  /** The batches of an epoch, as indices of the data set: a function of the seed and the epoch, and of nothing else. */
  readonly batchesOf: (epoch: number) => Int32Array[];
  readonly measuring: Measuring;
  readonly environment: Environment;
  /** What a person should be told before training. */
  readonly notes: readonly string[];
}

/** What is known before the data is opened. */
interface SetupOptions {
  readonly dataset?: Dataset | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly gitCommit?: string | null | undefined;
}

/** Opens the data, splits it, and makes method and program ready. */
export async function setUpTraining(
  config: NetworkConfig,
  onEvent: TrainingListener,
  { dataset: given, signal, gitCommit }: SetupOptions,
): Promise<TrainingSetup> {
  checkThreads(config);
  const onProgress = (done: number, total: number) => onEvent({ kind: 'reading', done, total });
  const opened = given ?? (await openDataset(config.data, { onProgress, signal }));
  const dataset = treatRareClasses(opened, config.data.rareClasses);
  const { name, classNames, labels, notes } = dataset;
  onEvent({ kind: 'dataset', name, instances: labels.length, classNames, notes });
  objectiveOf(config.decision, classNames); // throws what these classes do not have
  const split = splitDataset(dataset, splitOptions(config));
  const counts = {
    training: countByClass(dataset, split.training),
    validation: countByClass(dataset, split.validation),
    test: countByClass(dataset, split.test),
  };
  onEvent({ kind: 'split', ...counts, notes: split.notes });
  const setup = await prepare(config, opened, dataset, split, counts);
  return gitCommit === undefined ? setup : { ...setup, environment: { ...setup.environment, gitCommit } };
}

/** A configuration may come from a larger machine; threads without number would only wait for each other. */
const ALWAYS_ALLOWED_THREADS = 64;

function checkThreads({ threads }: NetworkConfig): void {
  const most = Math.max(ALWAYS_ALLOWED_THREADS, 4 * availableParallelism());
  if (threads <= most) return;
  throw new UserError(
    `threads is ${threads}, and this machine runs ${availableParallelism()} at once; expected at most ${most}`,
    { options: ['threads'] },
  );
}

async function prepare(
  config: NetworkConfig,
  opened: Dataset,
  dataset: Dataset,
  split: Split,
  counts: ClassCounts,
): Promise<TrainingSetup> {
  const classes = dataset.classNames.length;
  checkLabelMemory(classes);
  const giveBackFrom = giveBackEpoch(config);
  const trained = giveBackFrom === Number.POSITIVE_INFINITY ? counts.training : sumOf(counts);
  const method = prepareMethod(config, dataset.classNames, trained);
  const { seed, batchSize: asked } = config;
  const folds = split.folds === undefined ? 1 : Math.max(...split.folds) + 1;
  const batches = epochBatches(dataset.labels, split, {
    seed,
    batchSize: asked,
    sampling: method.sampling,
    giveBackFrom,
  });
  const { batchSize, stepsPerEpoch, stepsIn, inEpoch } = batches;
  const instances = prepareInstances(dataset, split.training, config.augmentation);
  const measured = folds === 1 ? split.validation.length : Math.ceil(split.training.length / folds);
  const context = { instances, classes, method, batchSize, folds, validationInstances: measured };
  const program = await programOf(config, context).catch((error: unknown) => {
    if (batchSize > 1 || !(error instanceof ShapeError)) throw error;
    throw new UserError(`batchSize is 1, which this model cannot be trained with: ${error.message}`, {
      cause: error,
      options: ['batchSize'],
    });
  });
  return {
    config,
    dataset,
    split,
    counts,
    instances,
    method,
    assumedLogPrior: method.assumedLogPrior ?? scaledLogPrior(trained, 1),
    program,
    stepsPerEpoch,
    stepsIn,
    giveBackFrom,
    learningRate: learningRateOfStep(config, stepsPerEpoch),
    batchesOf: batches.of,
    measuring: measuringOf(split, instances, program),
    environment: {
      ...describeEnvironment(config.threads, opened),
      batchSize,
      channelBlock: program.target.channelBlock,
    },
    notes: [...batchSizeNotes(config, batchSize, inEpoch), ...logitNormNotes(config, method)],
  };
}

/** The first epoch in which the validation instances train too. */
function giveBackEpoch({ data: { giveBack }, epochs }: Pick<NetworkConfig, 'data' | 'epochs'>): number {
  const epoch = Math.max(1, Math.round(giveBack * epochs));
  return giveBack > 0 && epoch < epochs ? epoch : Number.POSITIVE_INFINITY;
}

/** Instances of every class that train in the end. */
function sumOf({ training, validation }: ClassCounts): number[] {
  return training.map((count, p) => count + at(validation, p));
}

/** How the data of a configuration is split. */
export function splitOptions({ data, folds }: Pick<NetworkConfig, 'data' | 'folds'>) {
  const { splitSeed, testShare, testPerClass, group, imbalance } = data;
  const { validationPerClass, validationDraw, duplicatesTogether, giveBack } = data;
  return {
    seed: splitSeed,
    ...(folds === 1 ? { validationPerClass, heldOut: giveBack > 0 } : { folds }),
    duplicatesTogether,
    ...(validationDraw === undefined ? {} : { validationDraw }),
    ...(testShare === undefined ? {} : { testShare }),
    ...(testPerClass === undefined ? {} : { testPerClass }),
    ...(group === undefined ? {} : { group }),
    ...(imbalance === undefined ? {} : { imbalance }),
  };
}

/** The method of a configuration, ready for these classes. */
export function prepareMethod(
  config: Pick<NetworkConfig, 'method' | 'loss' | 'optimizer' | 'schedule' | 'epochs'>,
  classNames: readonly string[],
  trainingCounts: readonly number[],
): PreparedMethod {
  const { name, ...options } = config.method;
  // Shares at the start of an epoch do not depend on the number of its steps.
  const rate = learningRateOfStep(config, 1);
  return methods[name].prepare(
    {
      classNames,
      trainingCounts,
      loss: lossOf(config.loss),
      epochs: config.epochs,
      learningRateShare: (epoch) => rate(epoch) / config.optimizer.learningRate,
    },
    options,
  );
}

function batchSizeNotes(config: NetworkConfig, batchSize: number, inEpoch: number): string[] {
  if (batchSize === config.batchSize) return [];
  return [`A step takes ${batchSize} instances instead of ${config.batchSize}: an epoch has ${inEpoch} in all.`];
}

function logitNormNotes({ model, method }: NetworkConfig, { encodesLabels = false }: PreparedMethod): string[] {
  if (model.logitNorm || !encodesLabels) return [];
  return [
    `The model has no batch normalisation before the softmax (model.logitNorm is false). With labels above 1, as the method ` +
      `"${method.name}" makes them, the gradient at the logits never vanishes: they grow without bound, and a large ` +
      'enhancementRate diverges.',
  ];
}
