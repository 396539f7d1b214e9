import { NonFiniteLossError, type State } from '@evenhand/engine';
import { at, float32At } from '../checked-access.js';
import { instanceName } from '../dataset/instance-name.js';
import { adjustProbabilities } from '../methods/adjust-probabilities.js';
import type { EpochLabels, Observation } from '../methods/method.js';
import { methods } from '../methods/registry.js';
import type { CheckpointKind } from '../runs/checkpoint.js';
import { epochGenerator } from '../runs/generator-file.js';
import type { EpochMetrics, ValidationMetrics } from '../runs/metrics-file.js';
import type { RunWriter } from '../runs/run-writer.js';
import { type DivergedError, divergedError } from './diverged.js';
import type { TrainingListener } from './events.js';
import type { Learner } from './learners/learner.js';
import { type EpochScore, isBetter, type Position } from './memory.js';
import type { TrainingSetup } from './set-up.js';
import { balancedLogLoss, validationMetrics } from './validation.js';

/** Between two checkpoints of a state that only grows, so that saving it after every short epoch would take longer than training. */
const GROWING_SECONDS = 10;

/** What the epochs of a run work with. */
export interface EpochsContext {
  readonly setup: TrainingSetup;
  readonly learner: Learner;
  readonly run: RunWriter;
  readonly onEvent: TrainingListener;
  readonly signal: AbortSignal | undefined;
  /** Between two checkpoints in the middle of an epoch. */
  readonly checkpointSeconds: number;
  /** When the last epoch begins at the latest, by the clock of `performance.now()`. */
  readonly deadline: number;
}

/**
 * Algorithm 1: before every epoch, the first included, the validation set is predicted and from this the
 * method computes the epoch's labels. All that this loop knows is in its position, the method and the learner, so that it can go on from any
 * checkpoint, also in the middle of an epoch, as if nothing had happened.
 */
export class Epochs {
  readonly #context: EpochsContext;
  /** The first epoch in which held-out instances train too. An override may ask for one that is over: then it is the next to begin. */
  readonly #giveBackFrom: number;
  #position: Position;
  #savedAt = performance.now();
  /** Whether all that was trained is in a checkpoint. */
  #isSaved = true;

  constructor(context: EpochsContext, position: Position) {
    this.#context = context;
    this.#position = position;
    const { epoch, step, memory } = position;
    const next = step > 0 ? epoch + 1 : epoch;
    this.#giveBackFrom = memory.givenBackFrom ?? Math.max(context.setup.giveBackFrom, next);
  }

  get position(): Readonly<Position> {
    return this.#position;
  }

  /** Trains all epochs that are left. */
  async train(): Promise<void> {
    const { signal } = this.#context;
    let observation: Observation | undefined;
    while (!this.#isOver) {
      if (signal?.aborted === true) await this.#saveIfNeeded();
      signal?.throwIfAborted();
      const begun = performance.now();
      const labels = await this.#beginEpoch(observation);
      const encoded = performance.now();
      await this.#trainEpoch(labels);
      const trained = performance.now();
      observation = this.#isHeldOut(this.#position.epoch) ? await this.#observe() : undefined;
      const ended = performance.now();
      const seconds = { training: (trained - encoded) / 1000, encoding: (encoded - begun + ended - trained) / 1000 };
      await this.#endEpoch(labels, observation, seconds);
    }
    await this.#saveIfNeeded();
  }

  get #isOver(): boolean {
    return this.#position.epoch >= this.#context.setup.config.epochs || this.#stoppedEarly;
  }

  /** Whether the last epochs, as many as `patience`, brought nothing better, or the time is over. */
  get #stoppedEarly(): boolean {
    const { earlyStopping } = this.#context.setup.config;
    const { epoch, step, memory } = this.#position;
    if (step > 0) return false;
    if (memory.outOfTime === true) return true;
    if (earlyStopping === undefined || memory.best === null) return false;
    return epoch - 1 - memory.best.epoch >= earlyStopping.patience;
  }

  /** Whether, in an epoch, there are instances that no network has learned from. */
  #isHeldOut(epoch: number): boolean {
    return epoch < this.#giveBackFrom && this.#context.setup.measuring.instances.length > 0;
  }

  /** @param observation - made at the end of the epoch before, if that was in this process */
  async #beginEpoch(observation: Observation | undefined): Promise<EpochLabels> {
    const { setup, run } = this.#context;
    const { epoch, step, memory } = this.#position;
    if (step > 0) return this.#labelsOf(epoch);
    if (epoch === this.#giveBackFrom && memory.givenBackFrom === undefined) {
      this.#position = { epoch, step, memory: { ...memory, givenBackFrom: epoch } };
    }
    const isFrozen = this.#isFrozen(epoch);
    const labels = isFrozen
      ? this.#labelsOf(epoch)
      : setup.method.beforeEpoch(epoch, observation ?? (await this.#observe()));
    const rates = isFrozen ? undefined : setup.method.currentRates?.();
    await run.appendGenerator({ ...epochGenerator(epoch, labels), ...rates });
    return labels;
  }

  /** Whether an epoch is trained with the labels of the last one that was measured. */
  #isFrozen(epoch: number): boolean {
    const { method } = this.#context.setup.config;
    return methods[method.name].measures === true && epoch >= this.#giveBackFrom;
  }

  /** The labels of an epoch that has begun. */
  #labelsOf(epoch: number): EpochLabels {
    const { method } = this.#context.setup;
    return method.currentLabels(this.#isFrozen(epoch) ? this.#giveBackFrom - 1 : epoch);
  }

  async #trainEpoch(labels: EpochLabels): Promise<void> {
    const { setup, learner, onEvent, signal, checkpointSeconds } = this.#context;
    const { stepsPerEpoch } = setup.learner;
    const { epoch } = this.#position;
    const steps = setup.learner.stepsIn(epoch);
    const taught = this.#smoothed(labels);
    while (this.#position.step < steps) {
      const done = (step: number, losses: readonly number[]) => {
        const { memory } = this.#position;
        const lossSum = losses.reduce((sum, loss) => sum + loss, memory.lossSum);
        this.#position = { epoch, step, memory: { ...memory, lossSum } };
        this.#isSaved = false;
        onEvent({ kind: 'steps', epoch, step, stepsPerEpoch, loss: lossSum / step });
        return signal?.aborted === true || performance.now() - this.#savedAt >= 1000 * checkpointSeconds;
      };
      await learner.trainEpoch({ epoch, from: this.#position.step, labels: taught, done }).catch((error: unknown) => {
        if (!(error instanceof NonFiniteLossError)) throw error;
        throw this.#diverged(error.step, `the loss is ${error.loss}`);
      });
      if (this.#position.step === steps) return;
      await this.#save(['last'], await this.#finiteState());
      signal?.throwIfAborted();
    }
  }

  #smoothed(labels: EpochLabels): EpochLabels {
    const { labelSmoothing = 0 } = this.#context.setup.config;
    return { ...labels, generator: smoothed(labels.generator, labelSmoothing, this.#sharesOf(labels)) };
  }

  /**
   * How common the classes are as the loss sees them. Smoothed labels keep to it: spread evenly, they would make a rare class as common as
   * the mistakes that smoothing makes up.
   */
  #sharesOf({ classWeights }: EpochLabels): Float32Array {
    const { learnedCounts, method } = this.#context.setup;
    const masses = classWeights.map(
      (weight, p) => (method.sampling === 'balanced' ? 1 : at(learnedCounts, p)) * weight,
    );
    const total = masses.reduce((sum, mass) => sum + mass, 0);
    return masses.map((mass) => mass / total);
  }

  async #observe(): Promise<Observation> {
    const { setup, learner } = this.#context;
    if (!this.#isHeldOut(0)) return { labels: new Int32Array(), probabilities: new Float32Array() };
    const probabilities = await learner.measured();
    if (!probabilities.every(Number.isFinite)) {
      throw this.#diverged(this.#lastStep, 'the network predicts NaN for the validation set');
    }
    return { labels: setup.measuring.labels, probabilities };
  }

  async #endEpoch(
    labels: EpochLabels,
    observation: Observation | undefined,
    seconds: { readonly training: number; readonly encoding: number },
  ): Promise<void> {
    const { setup, learner, run, onEvent, deadline, checkpointSeconds } = this.#context;
    const { dataset, learner: plan } = setup;
    const { epoch, memory } = this.#position;
    const classes = dataset.classNames.length;
    const validation = observation === undefined ? null : this.#validationMetrics(observation);
    const metrics: EpochMetrics = {
      epoch,
      loss: memory.lossSum / plan.stepsIn(epoch),
      learningRate: plan.learningRate(epoch * plan.stepsPerEpoch),
      validation,
      generatorDiagonal: dataset.classNames.map((_, p) => at(labels.generator, p * classes + p)),
    };
    const score = validation === null ? null : scoreOf(validation);
    const isBest = score !== null && isBetter(score, memory.best);
    const best = isBest ? { epoch, ...score } : memory.best;
    const isGrowing = learner.stateAfter !== undefined;
    const state = isGrowing ? undefined : await this.#finiteState();
    // Kept: whoever goes on later comes to the same end.
    const outOfTime = performance.now() >= deadline ? { outOfTime: true } : {};
    this.#position = { epoch: epoch + 1, step: 0, memory: { ...memory, ...outOfTime, lossSum: 0, best } };
    await run.appendMetrics(metrics);
    this.#isSaved = false;
    // The best one first: killed in between, this epoch is trained and saved again.
    if (state !== undefined) await this.#save(isBest ? ['best', 'last'] : ['last'], state);
    else if (performance.now() - this.#savedAt >= 1000 * Math.min(checkpointSeconds, GROWING_SECONDS))
      await this.#saveIfNeeded();
    onEvent({ kind: 'epoch', metrics, seconds });
  }

  #validationMetrics({ labels: truth, probabilities }: Observation): ValidationMetrics {
    const { method, dataset, split, assumedLogPrior } = this.#context.setup;
    const classes = dataset.classNames.length;
    const adjusted = adjustProbabilities(probabilities, classes, method);
    const soft = validationMetrics(truth, adjusted, classes);
    if (split.folds === undefined) return soft;
    return { ...soft, balancedLogLoss: balancedLogLoss(truth, adjusted, classes, assumedLogPrior) };
  }

  async #saveIfNeeded(): Promise<void> {
    if (!this.#isSaved) await this.#save(['last'], await this.#finiteState());
  }

  async #save(kinds: readonly CheckpointKind[], state: State): Promise<void> {
    const { setup, run, onEvent } = this.#context;
    const { epoch, step, memory } = this.#position;
    const globalStep = epoch * setup.learner.stepsPerEpoch + step;
    const progress = { epoch, step, globalStep, method: setup.method.toJSON(), training: memory };
    for (const kind of kinds) {
      await run.saveCheckpoint(kind, state, progress);
      this.#savedAt = performance.now();
      this.#isSaved = true;
      onEvent({ kind: 'checkpoint', checkpoint: kind, epoch, step });
    }
  }

  /** The learner's state, to be saved. The loss of a step may be finite, and the weights after it not. */
  async #finiteState(): Promise<State> {
    const { learner } = this.#context;
    const state = await learner.state();
    // Leaves of trees are bounded, and thresholds may be infinite.
    if (learner.stateAfter !== undefined) return state;
    for (const [name, { data }] of state) {
      const wrong = data.findIndex((value) => !Number.isFinite(value));
      if (wrong !== -1) throw this.#diverged(this.#lastStep, `"${name}" has a value that is ${data[wrong]}`);
    }
    return state;
  }

  get #lastStep(): number {
    const { epoch, step } = this.#position;
    return Math.max(0, epoch * this.#context.setup.learner.stepsPerEpoch + step - 1);
  }

  /** @param globalStep - counted from the start of training */
  #diverged(globalStep: number, what: string): DivergedError {
    const { learner, dataset, config } = this.#context.setup;
    const epoch = Math.floor(globalStep / learner.stepsPerEpoch);
    const instances = Array.from(learner.instancesOf(globalStep), (instance) =>
      instance < dataset.labels.length ? instanceName(dataset, instance) : 'a synthetic one',
    );
    return divergedError({ epoch, step: globalStep, what, instances }, config);
  }
}

/** What epochs are compared by: with folds there are instances enough for a loss. */
function scoreOf({ softAccuracy, balancedLogLoss: loss }: ValidationMetrics): EpochScore {
  return loss === undefined ? { softAccuracy } : { balancedLogLoss: loss };
}

/** Label rows of which a part is spread over the classes, each getting its share. */
function smoothed(generator: Float32Array, part: number, shares: Float32Array): Float32Array {
  if (part === 0) return generator;
  return generator.map((value, cell) => (1 - part) * value + part * float32At(shares, cell % shares.length));
}
