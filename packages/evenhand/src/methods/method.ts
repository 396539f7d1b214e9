import type { EpochRates } from '@evenhand/encoding';
import type { Loss, Random, State } from '@evenhand/engine';
import type { Resampled } from '@evenhand/resampling';
import type { z } from 'zod';

/** What a method may know before training starts. */
export interface MethodContext {
  readonly classNames: readonly string[];
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
  /**
   * `[classes, classes]`: row p is added to the logits of every instance of class p while training. Of methods that say
   * {@link EpochSteps.offsetsLogits}.
   */
  readonly logitOffsets?: Float32Array;
  /** What the loss is told of the epoch, of methods that say {@link EpochSteps.blendsLoss}: 0 for its first form, 1 for its second. */
  readonly lossBlend?: number;
}

/** The validation instances and what the network, as it is now, makes of them. */
export interface Observation {
  readonly labels: Int32Array;
  /** `[instances, classes]` */
  readonly probabilities: Float32Array;
}

/** What turns the network's probabilities into predictions; see `adjustProbabilities`. */
export interface PredictionAdjustment {
  /** What the logits are multiplied by when predicting. @defaultValue 1 */
  readonly logitScale?: number;
  /** Subtracted from the scaled logits when predicting, one number per class. @defaultValue all 0 */
  readonly logitShift?: Float32Array;
}

/** Training rows that a method is to resample: those of one network. */
export interface RowsToResample {
  /** `[rows, width]`: as the network takes them. Images are a column of zeros. */
  readonly features: Float32Array;
  readonly labels: Int32Array;
  readonly width: number;
  /** Features between two values of which there is nothing: truth values, flags, codes of categories. */
  readonly discrete: readonly number[];
}

/** How an epoch goes through the training instances. */
export type Sampling = 'natural' | 'balanced';

/** Instances of a step are mixed with others, and their labels with them. Class weights have no part in it. */
export interface Mixing {
  /** `natural`: with others of the same batch; `balanced`: with instances of classes that are drawn first, all equally often. */
  readonly partners: Sampling;
  /** Draws how much of a mixture is the instance itself; the rest is its partner's. */
  share(random: Random): number;
}

/** What a method does from epoch to epoch. */
export interface EpochSteps {
  /** Called before every epoch, the first included, once. */
  beforeEpoch(epoch: number, observation: Observation): EpochLabels;
  /** The labels of the epoch that `beforeEpoch` was last called for, before a restart too: to go on in the middle of it. */
  currentLabels(epoch: number): EpochLabels;
  /** ε and μ of that epoch, where they are not the same in all. */
  currentRates?(): EpochRates | undefined;
  /** All that `beforeEpoch` remembers, as JSON; null where it remembers nothing. */
  toJSON(): unknown;
  /** Continues from what `toJSON` gave. Throws an UserError for anything else. */
  restore(saved: unknown): void;
  /** Whether the labels are something else than one-hot. Such labels may exceed 1. @defaultValue false */
  readonly encodesLabels?: boolean;
  /** Whether an epoch's labels come with `logitOffsets`. @defaultValue false */
  readonly offsetsLogits?: boolean;
  /** Whether they come with `lossBlend`. @defaultValue false */
  readonly blendsLoss?: boolean;
}

/** A way of dealing with imbalance, ready to train with. */
export interface PreparedMethod extends PredictionAdjustment, EpochSteps {
  readonly loss: Loss;
  /** `cosine`: the classifier sees directions only; no batch norm behind it. @defaultValue `linear` */
  readonly classifier?: 'linear' | 'cosine';
  /** `false`: no batch norm behind the classifier, whatever the model says. @defaultValue as the model says */
  readonly logitNorm?: false;
  /** What the weights of a network become when training is over. @defaultValue they stay */
  finishWeights?(state: State): State;
  /**
   * Epochs of balanced sampling that the last layer is trained for when training is over, anew and alone; all before it stays as it is.
   * @defaultValue none
   */
  readonly retrainingEpochs?: number;
  /**
   * Whether a step comes with guides: behind the instances of each network as many others of classes that are drawn first, all equally often. The
   * loss is given both, and decides what guides are for. @defaultValue false
   */
  readonly guided?: boolean;
  /** `balanced`: every class is drawn equally often, the rare ones repeatedly. @defaultValue `natural` */
  readonly sampling?: Sampling;
  /** @defaultValue instances as they are */
  readonly mixing?: Mixing;
  /**
   * The rows to learn from instead of those that there are, and how synthetic ones are made of them: a function of the rows and the seed. Of a
   * pack each network has its own. @defaultValue all rows, as they are
   */
  resample?(rows: RowsToResample, seed: number): Resampled;
  /**
   * Of boosted trees, which take `resample` from no method: the share of each class's rows that a round learns from, drawn anew in each.
   * @defaultValue all rows
   */
  readonly roundShares?: readonly number[];
  /**
   * How common the network takes the classes to be, from how it is trained: the logarithms of their shares, but for a constant. What it
   * predicts divided by these shares is what it would predict if all classes were equally common. @defaultValue as in training
   */
  readonly assumedLogPrior?: Float32Array;
  /** What `loss` adds to the logits of all instances, one number per class, for learners that compute the loss themselves. @defaultValue nothing */
  readonly addedLogits?: Float32Array;
}

/**
 * What a method changes: the label rows; how much a class counts in the loss; the logits inside the loss; which rows are learned from;
 * what is made of the probabilities at the end.
 */
type Change = 'nothing' | 'labels' | 'weights' | 'logits' | 'rows' | 'answers';

/** The schema of `method` in a configuration, for one method. */
type MethodSection<Name extends string, Options extends z.ZodObject> = z.ZodObject<
  { name: z.ZodLiteral<Name> } & Options['shape'],
  z.core.$strict
>;

/** A way of dealing with imbalance, as the registry holds it. */
export interface Method<Name extends string = string, Options extends z.ZodObject = z.ZodObject> {
  readonly name: Name;
  /** What it does, in one sentence. */
  readonly title: string;
  /** Authors and year; null for what has always been done. */
  readonly reference: string | null;
  /** What it changes of plain training. */
  readonly changes: Change;
  /** Whether it goes by distances between rows of a table, so that it has no meaning for images. @defaultValue false */
  readonly tablesOnly?: boolean;
  /** Whether it looks at what the network makes of held-out instances: others do without them. @defaultValue false */
  readonly measures?: boolean;
  /** What its options must look like; all of them may be left out. */
  readonly options: Options;
  /** Its options together with its name, as they stand in a configuration. */
  readonly section: MethodSection<Name, Options>;
  /**
   * @param options - not trusted: checked against the schema, which also fills in what is left out
   * @throws UserError that names the option
   */
  prepare(context: MethodContext, options?: unknown): PreparedMethod;
}
