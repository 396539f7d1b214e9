import type { TestEvaluation } from '../runs/evaluation-file.js';

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
