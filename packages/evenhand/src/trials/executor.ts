import type { Config } from '../config/schema.js';
import type { TrainingListener } from '../training/events.js';

/** What an executor is told of a trial. Plain data: it may go to another process. */
export interface TrialOrder {
  /** A run in it goes on from its last checkpoint. */
  readonly folder: string;
  readonly config: Config;
  /** Epochs after which to stop; trained to the end and tested if left out. */
  readonly until?: number;
  /** Continue even if configuration or data differ from those of the run. */
  readonly override?: boolean;
  /** Whether to measure what each column of a table is worth. @defaultValue true */
  readonly importance?: boolean;
  /** Where the data is, if not at the configuration's `data.source`, and what it must be. */
  readonly data?: { readonly at: string; readonly hash: string };
  /** What the run is said to have been started from, if not from this process's folder. */
  readonly gitCommit?: string | null;
}

/** Carries out trials somewhere: in processes of this machine, or wherever else training can run. */
export interface Executor {
  /** How many trials it carries out at once; others wait. */
  readonly atOnce: number;
  /**
   * Trains a trial as far as it is ordered.
   *
   * @param signal - when aborted, this trial is left at a checkpoint, and the signal's reason is thrown
   * @throws DivergedError if training diverged
   * @throws UserError if the order cannot be carried out for another reason
   */
  carryOut(order: TrialOrder, onEvent: TrainingListener, signal?: AbortSignal): Promise<void>;
  /** Leaves all trials at a checkpoint; they, and those that wait, throw the reason. */
  stop(reason: Error): void;
  /** Ends what is idle. */
  close(): Promise<void>;
}
