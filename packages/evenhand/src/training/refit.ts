import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { configHash } from '../config/difference.js';
import { hasTooManyClasses, MOST_CLASSES_IN_FULL } from '../dataset/many-classes.js';
import type { EpochSteps } from '../methods/method.js';
import type { Refit } from '../runs/evaluation-file.js';
import { openRun } from '../runs/run.js';
import { isRun, RUN_FILES } from '../runs/run-files.js';
import { type ResumedRun, type RunSetting, RunWriter } from '../runs/run-writer.js';
import { UserError } from '../user-error.js';
import { DivergedError } from './diverged.js';
import { Epochs } from './epochs.js';
import { goOnFrom } from './go-on.js';
import { NOTHING_MEASURES } from './measuring.js';
import { positionOf } from './memory.js';
import { type ReplayedLabels, remembersMeasurements, replayedLabels } from './replayed-labels.js';
import { CHECKPOINT_SECONDS, type TimedOptions } from './run-options.js';
import { settingOf } from './run-setting.js';
import type { TrainingSetup } from './set-up.js';
import { type TrainedNetwork, trainedNetwork } from './trained-network.js';

/** A pack that was trained in folds. */
export interface TrainedPack {
  readonly setup: TrainingSetup;
  readonly trained: TrainedNetwork;
  /** Whether the time that training may take was over. */
  readonly outOfTime: boolean;
}

/** What is deployed: the pack of the refit, with what the first pack measured; the first pack where there is no other. */
export interface RefittedPack extends TrainedPack {
  readonly refit: Refit;
}

/**
 * A refit repeats the labels of training in folds, so they must be known afterwards.
 *
 * @throws {@link UserError} before anything is trained
 */
export function checkRefit({ dataset: { classNames }, method, config }: TrainingSetup): void {
  if (!hasTooManyClasses(classNames.length) || !remembersMeasurements(method)) return;
  throw new UserError(
    `refit is true, but of the labels that the method "${config.method.name}" measures only a part is kept with ${classNames.length} classes, ` +
      `and a refit needs all; expected false, at most ${MOST_CLASSES_IN_FULL} classes, or a method that measures nothing, such as logit-adjustment`,
    { options: ['refit', 'method.name'] },
  );
}

/**
 * Trains a pack again, every network on all training rows: from the same initial weights, with the labels and learning rates of the
 * first training, and for as many epochs as the first pack's weights had. It is a run of its own in the folder `refit` of the first, and goes on
 * from its checkpoints as any other. Nothing is out of fold any more, so what was measured stays that of the first pack.
 *
 * @param folder - of the run that trained the pack
 */
export async function refit(pack: TrainedPack, folder: string, options: TimedOptions): Promise<RefittedPack> {
  const { setup, trained } = pack;
  const { time } = setup.config;
  const skipped = (why: string, outOfTime = pack.outOfTime) => ({ ...pack, outOfTime, refit: { skipped: why } });
  if (pack.outOfTime) return skipped(`the time of ${time} s was over before it began`);
  const epochs = trained.weights.epoch + 1;
  const labels = await replayedLabels(folder, setup.method, epochs);
  const onAllRows = setupOnAllRows(setup, epochs, labels);
  const begun = await beginOrGoOn(join(folder, RUN_FILES.refit), settingOf(setup), labels);
  try {
    const again = await trainOnAllRows(onAllRows, begun, options);
    if (again.epochs < epochs)
      return skipped(`the time of ${time} s was over after ${again.epochs} of its ${epochs} epochs`, true);
    const { learner, state, test } = again.trained;
    return {
      setup,
      trained: { ...trained, deployed: { learner, state }, test },
      outOfTime: again.outOfTime,
      refit: { rows: setup.split.training.length, epochs },
    };
  } catch (error) {
    if (!(error instanceof DivergedError)) throw error;
    return skipped(`its training diverged in epoch ${error.divergence.epoch + 1}`);
  } finally {
    begun.run.release();
  }
}

/** The same training with all rows for every member, up to an epoch. */
function setupOnAllRows(setup: TrainingSetup, epochs: number, labels: EpochSteps): TrainingSetup {
  const { config, method, learner } = setup;
  return {
    ...setup,
    config: { ...config, epochs },
    method: { ...method, ...labels },
    measuring: NOTHING_MEASURES,
    learner: learner.onAllRows(),
  };
}

/** Goes on with a refit of this very training; what is left of another one, after an override, is removed. */
async function beginOrGoOn(folder: string, setting: RunSetting, labels: ReplayedLabels): Promise<ResumedRun> {
  if (isRun(folder)) {
    const { config, environment, ...run } = await readRefit(folder);
    const isSame =
      configHash(config) === configHash(setting.config) &&
      environment.dataset.hash === setting.environment.dataset.hash &&
      (run.labels === undefined || run.labels === labels.toJSON());
    if (isSame) return RunWriter.resume(folder, setting);
    await rm(join(folder, RUN_FILES.config)); // from now on it is none, whenever this process ends
  }
  await rm(folder, { recursive: true, force: true });
  return { run: await RunWriter.create(folder, setting), checkpoint: undefined, notes: [] };
}

async function readRefit(folder: string) {
  const run = await openRun(folder);
  const last = await run.checkpoint('last');
  return { config: run.config, environment: run.environment, labels: last?.checkpoint.progress.method };
}

async function trainOnAllRows(
  setup: TrainingSetup,
  { run, checkpoint, notes }: ResumedRun,
  options: TimedOptions,
): Promise<{ readonly trained: TrainedNetwork; readonly epochs: number; readonly outOfTime: boolean }> {
  const { signal, checkpointSeconds = CHECKPOINT_SECONDS, deadline = Number.POSITIVE_INFINITY } = options;
  const { onEvent = () => undefined } = options;
  const { config, learner: plan } = setup;
  const learner = await plan.start();
  try {
    if (checkpoint !== undefined) await goOnFrom(checkpoint, setup, learner, run.path);
    const epochs = new Epochs(
      { setup, learner, run, onEvent, signal, checkpointSeconds, deadline },
      positionOf(checkpoint, plan.stepsPerEpoch),
    );
    const { epoch, step } = epochs.position;
    const { batchSize, stepsPerEpoch } = plan;
    onEvent({ kind: 'started', refit: true, epoch, step, epochs: config.epochs, stepsPerEpoch, batchSize, notes });
    await epochs.train();
    signal?.throwIfAborted();
    const { position } = epochs;
    return {
      trained: await trainedNetwork(setup, learner, run, position, signal),
      epochs: position.epoch,
      outOfTime: position.memory.outOfTime === true,
    };
  } finally {
    await learner.close();
  }
}
