import { type Feeds, type Program, type State, schedules } from '@evenhand/engine';
import type { Trainer } from '@evenhand/engine/node';
import { at, int32At } from '../../checked-access.js';
import type { NetworkConfig } from '../../config/schema.js';
import type { EpochLabels } from '../../methods/method.js';
import type { EpochBatches } from '../epoch-batches.js';
import { withGuides } from '../guides.js';
import { measureWith, predictInstances } from '../measuring.js';
import { drawPartners, type MixedBatch, mixedLabelRows, rowsOfClasses } from '../mixing.js';
import { restartClassifier } from '../restart-classifier.js';
import { trainSteps } from '../steps.js';
import { heldOutOutputs } from './held-out-outputs.js';
import type { EpochToTrain, Learner, LearnerPlan } from './learner.js';
import type { LearnerSetting } from './learner-setting.js';

/** What a network needs of its plan. */
interface NetworkSteps extends Pick<LearnerPlan, 'stepsPerEpoch' | 'stepsIn' | 'batchSize' | 'learningRate'> {
  readonly setting: LearnerSetting;
  readonly program: Program;
  readonly batches: EpochBatches;
  readonly config: Pick<NetworkConfig, 'epochs' | 'optimizer'>;
  balancedBatches(): EpochBatches;
}

/** A network, or a pack of them, in the engine's trainer. */
export class NetworkLearner implements Learner {
  readonly #plan: NetworkSteps;
  readonly #trainer: Trainer;
  readonly #measured: () => Promise<Float32Array>;

  constructor(plan: NetworkSteps, trainer: Trainer) {
    this.#plan = plan;
    this.#trainer = trainer;
    const { measuring, split, instances } = plan.setting;
    this.#measured = measureWith(trainer, measuring, split.folds, instances);
  }

  trainEpoch({ epoch, from, labels, done }: EpochToTrain): Promise<void> {
    const { generator } = labels;
    const { mixing, guided = false } = this.#plan.setting.method;
    const batches = this.#plan.batches.of(epoch);
    const rowsByClass = mixing === undefined && !guided ? [] : this.#rowsByClass(epoch);
    const shared = this.#shared(labels, 1);
    return trainSteps(this.#trainer, {
      from,
      to: this.#plan.stepsIn(epoch),
      feeds: (step) => {
        const batch = at(batches, step);
        const globalStep = epoch * this.#plan.stepsPerEpoch + step;
        const position = { seed: this.#plan.setting.seed, epoch, step };
        return {
          ...shared,
          ...(mixing === undefined
            ? this.#batch(epoch, step, guided ? withGuides(batch, rowsByClass, position) : batch)
            : this.#mixed(epoch, step, drawPartners(batch, rowsByClass, mixing, position), generator)),
          learningRate: this.#plan.learningRate(globalStep),
          step: globalStep,
        };
      },
      done,
    });
  }

  async retrainClassifier(labels: EpochLabels, epochs: number, signal: AbortSignal | undefined): Promise<void> {
    const { config, program } = this.#plan;
    const { stepsIn, of } = this.#plan.balancedBatches();
    await this.#trainer.load(restartClassifier(program, await this.#trainer.state()));
    const perEpoch = stepsIn(config.epochs);
    const learningRate = schedules.cosine({ rate: config.optimizer.learningRate, steps: epochs * perEpoch });
    for (let pass = 0; pass < epochs; pass++) {
      signal?.throwIfAborted();
      // Other orders than those of training, and all rows that the last of its epochs had.
      const epoch = config.epochs + pass;
      const batches = of(epoch);
      await trainSteps(this.#trainer, {
        from: 0,
        to: perEpoch,
        feeds: (step) => ({
          ...this.#shared(labels, 0),
          ...this.#batch(epoch, step, at(batches, step)),
          learningRate: learningRate(pass * perEpoch + step),
          step: pass * perEpoch + step,
        }),
        done: () => signal?.aborted === true,
      });
    }
    signal?.throwIfAborted();
  }

  /** The same arrays for all steps of an epoch, so that a message with many steps carries them once. */
  #shared({ generator, classWeights, logitOffsets, lossBlend }: EpochLabels, bodyRate: number): Feeds {
    const { mixing, retrainingEpochs } = this.#plan.setting.method;
    return {
      ...(mixing === undefined ? { generator, classWeights } : {}),
      ...(logitOffsets === undefined ? {} : { logitOffsets }),
      ...(lossBlend === undefined ? {} : { lossBlend }),
      ...(retrainingEpochs === undefined ? {} : { bodyRate }),
    };
  }

  #batch(epoch: number, step: number, batch: Int32Array): Feeds {
    const { instances, seed } = this.#plan.setting;
    return {
      input: instances.trainingInputs(batch, { seed, epoch, position: step * this.#plan.batchSize }),
      labels: batch.map((instance) => int32At(instances.labels, instance)),
    };
  }

  #mixed(epoch: number, step: number, mixed: MixedBatch, generator: Float32Array): Feeds {
    const { instances, seed } = this.#plan.setting;
    return {
      input: instances.mixedInputs(mixed, { seed, epoch, position: step * this.#plan.batchSize }),
      labelRows: mixedLabelRows(mixed, instances.labels, generator),
    };
  }

  /** What each network learns from in an epoch, class by class. */
  #rowsByClass(epoch: number): Int32Array[][] {
    const { rows, instances, giveBackFrom } = this.#plan.setting;
    const { rows: before, withHeldOut = before } = rows;
    return (epoch < giveBackFrom ? before : withHeldOut).map((own) => rowsOfClasses(own, instances.labels));
  }

  measured(): Promise<Float32Array> {
    return this.#measured();
  }

  predict(chosen: Int32Array): Promise<Float32Array> {
    return predictInstances(this.#plan.setting.instances, this.#trainer, chosen);
  }

  heldOut(inputs: Float32Array, folds: Int32Array): Promise<Float32Array> {
    return heldOutOutputs(this.#trainer, inputs, folds);
  }

  state(): Promise<State> {
    return this.#trainer.state();
  }

  load(state: State): Promise<void> {
    return this.#trainer.load(state);
  }

  close(): Promise<void> {
    return this.#trainer.close();
  }
}
