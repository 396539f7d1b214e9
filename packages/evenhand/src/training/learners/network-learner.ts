import type { Feeds, State } from '@evenhand/engine';
import type { Trainer } from '@evenhand/engine/node';
import { at, int32At } from '../../checked-access.js';
import type { EpochBatches } from '../epoch-batches.js';
import { measureWith, predictInstances } from '../measuring.js';
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
    const batches = this.#plan.batches.of(epoch);
    // The same arrays for all steps of an epoch, so that a message with many steps carries them once.
    const shared: Feeds = { generator, classWeights, ...(logitOffsets === undefined ? {} : { logitOffsets }) };
    return trainSteps(this.#trainer, {
      from,
      to: this.#plan.stepsIn(epoch),
      feeds: (step) => ({ ...shared, ...this.#feeds(epoch, step, at(batches, step)) }),
      done,
    });
  }

  #feeds(epoch: number, step: number, batch: Int32Array): Feeds {
    const { instances, seed } = this.#plan.setting;
    const globalStep = epoch * this.#plan.stepsPerEpoch + step;
    return {
      input: instances.trainingInputs(batch, { seed, epoch, position: step * this.#plan.batchSize }),
      labels: batch.map((instance) => int32At(instances.labels, instance)),
      learningRate: this.#plan.learningRate(globalStep),
      step: globalStep,
    };
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
