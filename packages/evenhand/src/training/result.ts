import type { TestEvaluation } from '../runs/evaluation-file.js';

/** The result of a training run. */
export interface RunResult {
  readonly folder: string;
  /** Epochs that were trained. */
  readonly epochs: number;
  readonly stoppedEarly: boolean;
  readonly evaluation: TestEvaluation;
  /** What a person should be told about data, split and training. */
  readonly notes: readonly string[];
}
