import * as tf from '@tensorflow/tfjs';

type FittedModel = Parameters<tf.CustomCallback['setModel']>[0];

/** Runs `beforeEpoch` at the start of every epoch of one model. */
export class EpochCallback extends tf.CustomCallback {
  readonly #model: tf.LayersModel;

  constructor(model: tf.LayersModel, beforeEpoch: () => Promise<void>) {
    super({ onEpochBegin: beforeEpoch });
    this.#model = model;
    // Behind a plain object in a list of callbacks, TensorFlow.js takes the methods of this one without their object.
    this.onTrainBegin = this.onTrainBegin.bind(this);
    this.onTrainEnd = this.onTrainEnd.bind(this);
    this.onEpochBegin = this.onEpochBegin.bind(this);
    this.onEpochEnd = this.onEpochEnd.bind(this);
    this.onBatchBegin = this.onBatchBegin.bind(this);
    this.onBatchEnd = this.onBatchEnd.bind(this);
  }

  override setModel(model: FittedModel): void {
    // A sequential model is fitted through a model inside it; their output is the same object.
    if (model.outputs[0] !== this.#model.outputs[0]) {
      throw new TypeError(
        `the callback of model "${this.#model.name}" was given to fit() of model "${model.name}"; expected its own model: call enhance() for each model`,
      );
    }
    super.setModel(model);
  }
}
