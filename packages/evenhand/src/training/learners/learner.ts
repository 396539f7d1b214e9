import type { State } from '@evenhand/engine';
import type { EpochLabels } from '../../methods/method.js';

/** The steps of an epoch that are to be trained. */
export interface EpochToTrain {
  readonly epoch: number;
  /** Steps of it that are done. */
  readonly from: number;
  /** As they are to be taught: smoothed, if that is wanted. */
  readonly labels: EpochLabels;
  /** Called when steps are done, in order, with their losses. Whether to stop here. */
  done(step: number, losses: readonly number[]): boolean;
}

/** What learns: networks in the engine's trainer, or boosted trees. It computes in threads of its own. */
export interface Learner {
  /** @throws NonFiniteLossError of the engine */
  trainEpoch(epoch: EpochToTrain): Promise<void>;
  /**
   * Of networks: trains the last layer anew, alone, with balanced sampling.
   *
   * @throws what the signal is aborted with, and NonFiniteLossError of the engine
   */
  retrainClassifier?(labels: EpochLabels, epochs: number, signal: AbortSignal | undefined): Promise<void>;
  /** `[instances, classes]`: what is said of the instances that measure, by what has not learned from them. */
  measured(): Promise<Float32Array>;
  /** `[instances, classes]`: what is said of others, by all members together. */
  predict(chosen: Int32Array): Promise<Float32Array>;
  /**
   * What is said of rows that were changed, each by the member that has not learned from its fold.
   *
   * @param inputs - `[rows, features]`
   */
  heldOut(inputs: Float32Array, folds: Int32Array): Promise<Float32Array>;
  /** All that it has learned. */
  state(): Promise<State>;
  /**
   * The state that it had after so many epochs, of learners that only ever add to theirs. They need no copy of the best epoch, and no
   * checkpoint at the end of each.
   */
  stateAfter?(epochs: number): Promise<State>;
  /** @throws StateError of the engine if it is not one of this learner */
  load(state: State): Promise<void>;
  close(): Promise<void>;
}

/** How something learns, before it does. */
export interface LearnerPlan {
  /** Of the longest epoch; the steps of all are counted as if they were as long. */
  readonly stepsPerEpoch: number;
  /** Instances of a step, of each member. */
  readonly batchSize: number;
  /** What environments are told of it. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** What a person should be told before training. */
  readonly notes: readonly string[];
  stepsIn(epoch: number): number;
  /** Of a step, counted from the start of training. */
  learningRate(globalStep: number): number;
  /** The instances of a step, as indices of the data set. */
  instancesOf(globalStep: number): Int32Array;
  start(): Promise<Learner>;
  /** What has learned as an ONNX model: inputs as networks take them, float32 `[batch, features]`, to probabilities `[batch, classes]`. */
  toOnnx(state: State): Uint8Array;
  /** Of trees: by how much the splits by each column of the table lower the loss in training, as shares that sum to 1, or all 0. */
  gains?(state: State): Float64Array;
  /** The same with all rows for every member: nothing is held out. */
  onAllRows(): LearnerPlan;
}
