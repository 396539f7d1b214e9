import type { Evaluation } from '../evaluation/evaluate.js';
import type { FittedDecision } from './decide.js';

/** The content of `evaluation.json`: the model on the test set. */
export interface TestEvaluation extends Evaluation {
  /** The epoch, from 0, whose weights are in `model.onnx`. Never chosen on test data. */
  readonly weights: { readonly epoch: number; readonly chosen: 'last epoch' | 'best validation soft accuracy' };
  /** Instances of each class, in the order of the class names. */
  readonly counts: Record<'training' | 'validation' | 'test', readonly number[]>;
  readonly decision: FittedDecision;
  /**
   * The same with answers by the threshold, where one was fitted. Its scores are probabilities stretched so that the
   * threshold lies at 1/2: what it says of calibration is not about probabilities.
   */
  readonly thresholded: Evaluation | null;
}

/** What a training run came to. */
export interface RunResult {
  readonly folder: string;
  /** Epochs that were trained. */
  readonly epochs: number;
  readonly stoppedEarly: boolean;
  readonly evaluation: TestEvaluation;
  /** What a person should be told about data, split and training. */
  readonly notes: readonly string[];
}
