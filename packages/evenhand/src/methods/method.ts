import type { Loss } from '@evenhand/engine';

/** What a method may know before training starts. */
export interface MethodContext {
  readonly classes: number;
  /** Training instances of every class, the validation set not among them. */
  readonly trainingCounts: readonly number[];
  /** The loss that was asked for; a method may wrap it. */
  readonly loss: Loss;
  readonly epochs: number;
  /** The share of the highest learning rate that an epoch starts with; deferred re-weighting waits for its drop. */
  readonly learningRateShare: (epoch: number) => number;
}

/** What an epoch is trained with. */
export interface EpochLabels {
  /** `[classes, classes]`: row p is the label of every instance of class p. The identity for one-hot labels. */
  readonly generator: Float32Array;
  /** What the loss of every instance of a class is multiplied by. */
  readonly classWeights: Float32Array;
}

/** The validation instances and what the network, as it is now, makes of them. */
export interface Observation {
  readonly labels: Int32Array;
  /** `[instances, classes]` */
  readonly probabilities: Float32Array;
}

/** A way of dealing with imbalance, ready to train with. */
export interface PreparedMethod {
  readonly loss: Loss;
  /** `cosine`: the classifier sees directions only, scaled; no batch norm behind it. @defaultValue `linear` */
  readonly classifier?: 'linear' | 'cosine';
  /** `balanced`: every class is drawn equally often, the rare ones repeatedly. @defaultValue `natural` */
  readonly sampling?: 'natural' | 'balanced';
  /** Subtracted from the logits (log-probabilities) when predicting, one number a class. */
  readonly logitShift?: Float32Array;
  /** Called before every epoch, the first included. */
  beforeEpoch(epoch: number, observation: Observation): EpochLabels;
  /** All that `beforeEpoch` remembers, as JSON; null where it remembers nothing. */
  toJSON(): unknown;
  /** Continues from what `toJSON` gave. Throws an InputError for anything else. */
  restore(saved: unknown): void;
}
