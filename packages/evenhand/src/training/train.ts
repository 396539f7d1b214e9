import { parseConfig } from '../config/parse.js';
import { type Config, type ConfigInput, type LearnerConfig, learnerConfig } from '../config/schema.js';
import type { Checkpoint } from '../runs/checkpoint.js';
import { openRun, type Run } from '../runs/run.js';
import { isRun } from '../runs/run-files.js';
import { type ResumedRun, type RunSetting, RunWriter } from '../runs/run-writer.js';
import { environmentNotes } from './changed-environment.js';
import { DivergedError } from './diverged.js';
import { Epochs } from './epochs.js';
import type { TrainingListener } from './events.js';
import { finish } from './finish.js';
import { goOnFrom } from './go-on.js';
import type { Learner } from './learners/learner.js';
import { positionOf } from './memory.js';
import { type BeginRun, type LearnerRun, trainPortfolio } from './portfolio.js';
import { checkRefit, refit } from './refit.js';
import type { RunResult } from './result.js';
import { CHECKPOINT_SECONDS, type RunOptions, type TimedOptions } from './run-options.js';
import { settingOf } from './run-setting.js';
import { setUpTraining, type TrainingSetup } from './set-up.js';
import { trainedNetwork } from './trained-network.js';

/** How a run begins. */
export interface TrainOptions extends RunOptions {
  /** The run's folder; it must not exist yet, or be empty. */
  readonly folder: string;
}

/** How a run goes on. */
export interface ResumeOptions extends RunOptions {
  /** The configuration to continue with. @defaultValue the run's own configuration */
  readonly config?: ConfigInput;
  /**
   * Continue even if configuration or data differ from those of the run; they become the run's with the next checkpoint. @defaultValue false
   */
  readonly override?: boolean;
}

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
 * @throws `DivergedError` if the loss becomes infinite or NaN
 */
export async function train(config: ConfigInput, options: TrainOptions): Promise<RunResult> {
  return carryOut(parseConfig(config), options, beginIn(options.folder));
}

/** Begins a run in a folder that is new or empty. */
function beginIn(folder: string): BeginRun {
  return async (setting) => ({ run: await RunWriter.create(folder, setting), checkpoint: undefined, notes: [] });
}

/**
 * Continues a run from its last checkpoint; it ends with the same bytes as it would have without the pause. A complete run is only evaluated again.
 *
 * @throws {@link UserError} if configuration or data are not those of the run, with every difference
 */
export async function resume(folder: string, options: ResumeOptions = {}): Promise<RunResult> {
  const begun = await openRun(folder);
  const config = options.config === undefined ? begun.config : parseConfig(options.config);
  return carryOut(config, options, goOnIn(begun, options.override ?? false));
}

/** Goes on in the folder of a run. */
function goOnIn(begun: Run, override: boolean): BeginRun {
  return async (setting, restore) => {
    // What does not fit is refused before anything is changed.
    const found = override ? await begun.checkpoint('last') : undefined;
    if (found !== undefined) await restore(found.checkpoint, begun.folder);
    const resumed = await RunWriter.resume(begun.folder, setting, { override });
    const notes = [...environmentNotes(begun.environment, setting.environment), ...otherInstances(begun, setting)];
    return { ...resumed, notes: [...resumed.notes, ...notes] };
  };
}

function carryOut(config: Config, options: RunOptions, begin: BeginRun): Promise<RunResult> {
  const { model, portfolio = [], ...shared } = config;
  if (model.name !== 'auto')
    return trainLearner(learnerConfig(shared, model), options, begin).then(({ result }) => result);
  return trainPortfolio(config, options, begin, async (folder, member, memberOptions) =>
    trainLearner(member, memberOptions, isRun(folder) ? goOnIn(await openRun(folder), false) : beginIn(folder)),
  );
}

/** What to say of a test set that may hold what was trained on. */
function otherInstances(before: Run, now: RunSetting): string[] {
  const dataOf = ({ config, environment }: Pick<RunSetting, 'config' | 'environment'>) =>
    JSON.stringify([config.data, environment.dataset.hash]);
  if (dataOf(before) === dataOf(now)) return [];
  return [
    'The data, or how it is split, is not what the run was begun with: the test set may have instances now that were ' +
      'trained on before, and then its results flatter.',
  ];
}

/** Trains one network, one pack, or trees, in a run of its own. */
async function trainLearner(config: LearnerConfig, options: TimedOptions, begin: BeginRun): Promise<LearnerRun> {
  const { onEvent = () => undefined, signal } = options;
  signal?.throwIfAborted();
  const setup = await setUpTraining(config, onEvent, options);
  if (config.refit === true) checkRefit(setup);
  const learner = await setup.learner.start();
  try {
    const restore = (checkpoint: Checkpoint, folder: string) => goOnFrom(checkpoint, setup, learner, folder);
    const resumed = await begin(settingOf(setup), restore);
    try {
      return await trainAndFinish(setup, learner, resumed, { ...options, onEvent });
    } catch (error) {
      // A disk that takes no more is no reason to hide what went wrong.
      if (error instanceof DivergedError) await resumed.run.recordDivergence(error.divergence).catch(() => undefined);
      throw error;
    } finally {
      resumed.run.release();
    }
  } finally {
    await learner.close();
  }
}

async function trainAndFinish(
  setup: TrainingSetup,
  learner: Learner,
  { run, checkpoint, notes: resumeNotes }: ResumedRun,
  options: TimedOptions & { readonly onEvent: TrainingListener },
): Promise<LearnerRun> {
  const { onEvent, signal, checkpointSeconds = CHECKPOINT_SECONDS } = options;
  const { config, dataset, split } = setup;
  const { stepsPerEpoch, batchSize } = setup.learner;
  const { deadline = config.time === undefined ? Number.POSITIVE_INFINITY : performance.now() + 1000 * config.time } =
    options;
  if (checkpoint !== undefined) await goOnFrom(checkpoint, setup, learner, run.path);
  const epochs = new Epochs(
    { setup, learner, run, onEvent, signal, checkpointSeconds, deadline },
    positionOf(checkpoint, stepsPerEpoch),
  );
  const notes = [...setup.notes, ...resumeNotes];
  const { epoch, step } = epochs.position;
  onEvent({ kind: 'started', epoch, step, epochs: config.epochs, stepsPerEpoch, batchSize, notes });
  await epochs.train();
  signal?.throwIfAborted();
  const inFolds = {
    setup,
    trained: await trainedNetwork(setup, learner, run, epochs.position, signal),
    outOfTime: epochs.position.memory.outOfTime === true,
  };
  const pack = config.refit === true ? await refit(inFolds, run.path, { ...options, deadline }) : inFolds;
  const networks = [{ name: config.model.name, weight: 1, trained: pack.trained }];
  const outcome = { config, setup, networks, ...('refit' in pack ? { refit: pack.refit } : {}) };
  const evaluation = await finish(outcome, run, options);
  const result: RunResult = {
    folder: run.path,
    epochs: epochs.position.epoch,
    stoppedEarly: epochs.position.epoch < config.epochs,
    evaluation,
    notes: [...dataset.notes, ...split.notes, ...notes],
  };
  onEvent({ kind: 'finished', result });
  return { ...pack, result };
}
