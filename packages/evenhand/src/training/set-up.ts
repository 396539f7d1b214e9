import { availableParallelism } from 'node:os';
import { at } from '../checked-access.js';
import { isOfTrees, type LearnerConfig } from '../config/schema.js';
import { bySize } from '../dataset/class-order.js';
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
import type { TrainingListener } from './events.js';
import { type Instances, prepareInstances } from './instances.js';
import type { LearnerPlan } from './learners/learner.js';
import type { LearnerSetting } from './learners/learner-setting.js';
import { NetworkPlan } from './learners/network-plan.js';
import { TreePlan } from './learners/tree-plan.js';
import { learningRateOfStep } from './learning-rate.js';
import { type Measuring, measuringOf } from './measuring.js';
import { checkLabelMemory } from './memory-estimate.js';
import { lossOf } from './program.js';
import { resampleRows } from './resample-rows.js';
import { countLearned, rowsOfNetworks } from './rows-of-networks.js';

/** All that training needs, before its first step. */
export interface TrainingSetup {
  readonly config: LearnerConfig;
  readonly dataset: Dataset;
  readonly split: Split;
  /** Instances of every class in each part of the split. */
  readonly counts: ClassCounts;
  /** How the classes that the networks learn from compare in size: as in training, or as the method resamples them. */
  readonly learnedCounts: readonly number[];
  /** Those of the data set, and behind them those that the method makes of them. */
  readonly instances: Instances;
  readonly method: PreparedMethod;
  /** How common the answers take the classes to be. */
  readonly assumedLogPrior: Float32Array;
  /** What learns. */
  readonly learner: LearnerPlan;
  /** The first epoch in which the validation instances train too, with the labels of the epoch before; infinite if there is none. */
  readonly giveBackFrom: number;
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

/** Opens the data, splits it, and makes method and learner ready. */
export async function setUpTraining(
  config: LearnerConfig,
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

function checkThreads({ threads }: LearnerConfig): void {
  const most = Math.max(ALWAYS_ALLOWED_THREADS, 4 * availableParallelism());
  if (threads <= most) return;
  throw new UserError(
    `threads is ${threads}, and this machine runs ${availableParallelism()} at once; expected at most ${most}`,
    { options: ['threads'] },
  );
}

async function prepare(
  config: LearnerConfig,
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
  const { seed } = config;
  const learned = resampleRows(
    {
      instances: prepareInstances(dataset, split.training, config.augmentation),
      rows: rowsOfNetworks(split, { givesBack: giveBackFrom !== Number.POSITIVE_INFINITY }),
    },
    { method, name: config.method.name, seed },
  );
  const { instances, rows } = learned;
  const resampled = method.resample === undefined ? undefined : countLearned(rows.rows, instances.labels, classes);
  const assumedLogPrior = method.assumedLogPrior ?? scaledLogPrior(resampled ?? trained, 1);
  const measuring = measuringOf(split, dataset.labels);
  const setting = { instances, rows, split, classes, method, measuring, assumedLogPrior, giveBackFrom, seed };
  const learner = await planOf(config, setting);
  return {
    config,
    dataset,
    split,
    counts,
    instances,
    method,
    learnedCounts: resampled ?? counts.training,
    assumedLogPrior,
    learner,
    giveBackFrom,
    measuring,
    environment: { ...describeEnvironment(config.threads, opened), ...learner.facts },
    notes: [
      ...resamplingNotes(config, dataset.classNames, counts.training, resampled, rows.rows.length),
      ...learner.notes,
    ],
  };
}

async function planOf(config: LearnerConfig, setting: LearnerSetting): Promise<LearnerPlan> {
  return isOfTrees(config) ? TreePlan.create(config, setting) : NetworkPlan.create(config, setting);
}

/** The first epoch in which the validation instances train too. */
function giveBackEpoch({ data: { giveBack }, epochs }: Pick<LearnerConfig, 'data' | 'epochs'>): number {
  const epoch = Math.max(1, Math.round(giveBack * epochs));
  return giveBack > 0 && epoch < epochs ? epoch : Number.POSITIVE_INFINITY;
}

/** Instances of every class that train in the end. */
function sumOf({ training, validation }: ClassCounts): number[] {
  return training.map((count, p) => count + at(validation, p));
}

/** How the data of a configuration is split. */
export function splitOptions({ data, folds }: Pick<LearnerConfig, 'data' | 'folds'>) {
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
  config: Pick<LearnerConfig, 'method' | 'loss' | 'optimizer' | 'schedule' | 'epochs'>,
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

/** Classes that a note names. */
const NAMED = 10;

/** What resampling made of the training set; of several networks the mean. */
function resamplingNotes(
  { method, model }: Pick<LearnerConfig, 'method' | 'model'>,
  classNames: readonly string[],
  training: readonly number[],
  resampled: readonly number[] | undefined,
  networks: number,
): string[] {
  // Rounds of trees draw from what there is.
  if (resampled === undefined || model.name === 'trees') return [];
  const each = resampled.map((count) => Math.round(count / networks));
  const changed = bySize(training)
    .slice(0, NAMED)
    .map((p) => `${at(classNames, p)} ${at(each, p)}`);
  const more = classNames.length > NAMED ? `, and ${classNames.length - NAMED} more classes` : '';
  const whose = networks === 1 ? 'The network learns' : 'A network learns';
  const rows = each.reduce((sum, count) => sum + count, 0);
  return [`${whose} from ${rows} instances after ${method.name}: ${changed.join(', ')}${more}.`];
}
