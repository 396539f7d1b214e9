import type { Target } from '../graph/emitter.js';
import type { ElementType, Shape } from '../graph/tensor.js';
import type { Outputs } from './outputs.js';

/** A tensor that training keeps from step to step. */
export interface StateEntry {
  readonly name: string;
  readonly shape: Shape;
  /** The vector that it is part of, behind the entries before it: `parameters`, `statistics`, `slot/<kind>`. */
  readonly vector: string;
  /** `slot`: what the optimizer keeps, named `slot/<kind>/<parameter>`. */
  readonly kind: 'parameter' | 'statistic' | 'slot';
  readonly initial: Float32Array;
}

/** A tensor that is fed at every step. */
export interface FeedEntry {
  readonly name: string;
  readonly shape: Shape;
  readonly type: ElementType;
}

/**
 * All that is needed to train and to predict, as plain data that can be sent to another thread.
 *
 * The training model takes every vector of the state and every feed, and gives `loss` (a float32 scalar) and the next value
 * of every vector under `next/<vector>`. The inference model takes `parameters`, `statistics` (where there are any) and
 * `input`, and gives `[evaluationBatch, classes]` under the name that `outputs` is.
 */
export interface Program {
  readonly training: Uint8Array<ArrayBuffer>;
  readonly inference: Uint8Array<ArrayBuffer>;
  /** The inference model for any machine: in ONNX's own operators only. */
  readonly portableInference: Uint8Array<ArrayBuffer>;
  /** The machine that the other two are for. */
  readonly target: Target;
  readonly state: readonly StateEntry[];
  /** `input`; `labels` (int32, class indices) or `labelRows` (float32 `[batchSize, classes]`); `generator`, if labels are indices with a generator matrix;
   * `classWeights`, `instanceWeights`, `logitOffsets`, `lossBlend` and `bodyRate`, if these are fed; `learningRate` (float32 scalar); `step` (int64 scalar, from 0). */
  readonly feeds: readonly FeedEntry[];
  /** Rows of a step, of each network. */
  readonly batchSize: number;
  /**
   * How many networks it is, side by side; most are one. A pack is fed the rows of its first network, then as many of the second, …:
   * `pack·batchSize` in a step, and in groups of `evaluationBatch` to predict.
   */
  readonly pack: number;
  readonly evaluationBatch: number;
  readonly classes: number;
  /** What the inference model gives, and under which name. */
  readonly outputs: Outputs;
  /** Type and shape of the inference model's `input`, with its batch. */
  readonly input: FeedEntry;
}
