import type { Feeds, State } from '@evenhand/engine';
import type { Trainer } from '@evenhand/engine/node';
import { at, int32At } from '../../checked-access.js';
import type { EpochBatches } from '../epoch-batches.js';
import { measureWith, predictInstances } from '../measuring.js';
import { drawPartners, type MixedBatch, mixedLabelRows, rowsOfClasses } from '../mixing.js';
import { trainSteps } from '../steps.js';
import { heldOutOutputs } from './held-out-outputs.js';
import type { EpochToTrain, Learner, LearnerPlan } from './learner.js';
import type { LearnerSetting } from './learner-setting.js';

/** What a network needs of its plan. */
interface NetworkSteps extends Pick<LearnerPlan, 'stepsPerEpoch' | 'stepsIn' | 'batchSize' | 'learningRate'> {
  readonly setting: LearnerSetting;
  readonly batches: EpochBatches;
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
    const { generator, classWeights, logitOffsets } = labels;
    const { mixing } = this.#plan.setting.method;
    const batches = this.#plan.batches.of(epoch);
    const rowsByClass = mixing === undefined ? [] : this.#rowsByClass(epoch);
    // The same arrays for all steps of an epoch, so that a message with many steps carries them once.
    const shared: Feeds =
      mixing === undefined ? { generator, classWeights, ...(logitOffsets === undefined ? {} : { logitOffsets }) } : {};
    return trainSteps(this.#trainer, {
      from,
      to: this.#plan.stepsIn(epoch),
      feeds: (step) => {
        const batch = at(batches, step);
        const globalStep = epoch * this.#plan.stepsPerEpoch + step;
        const { seed } = this.#plan.setting;
        return {
          ...shared,
          ...(mixing === undefined
            ? this.#batch(epoch, step, batch)
            : this.#mixed(epoch, step, drawPartners(batch, rowsByClass, mixing, { seed, epoch, step }), generator)),
          learningRate: this.#plan.learningRate(globalStep),
          step: globalStep,
        };
      },
      done,
    });
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
