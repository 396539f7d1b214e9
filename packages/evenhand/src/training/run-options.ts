import type { Dataset } from '../dataset/dataset.js';
import type { TrainingListener } from './events.js';

/** Between two checkpoints in the middle of an epoch. */
export const CHECKPOINT_SECONDS = 60;

/** How a training run is accompanied. None of it changes what is trained. */
export interface RunOptions {
  /** Called with every event. */
  readonly onEvent?: TrainingListener;
  /** When aborted, training saves a checkpoint and throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** The data, if it is not to be opened from `data.source`. */
  readonly dataset?: Dataset;
  /** Whether to measure, at the end, what each column of a table is worth to the model: `importance.json`. @defaultValue true */
  readonly importance?: boolean;
  /** Seconds between checkpoints in the middle of an epoch. There is one at the end of every epoch. @defaultValue 60 */
  readonly checkpointSeconds?: number;
  /** The commit that `environment.json` names. @defaultValue that of the current folder; null outside of git */
  readonly gitCommit?: string | null;
}

/** Training that ends with the first epoch after a point in time. */
export interface TimedOptions extends RunOptions {
  /** By the clock of `performance.now()`. */
  readonly deadline?: number;
}
