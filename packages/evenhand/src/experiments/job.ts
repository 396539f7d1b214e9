import type { Config } from '../config/schema.js';

/** A run that a process of its own trains: from the beginning, or on from where its folder says it stopped. */
export interface Job {
  /** The run's folder. What is complete in it is not done again. */
  readonly folder: string;
  readonly config: Config;
  /** Stop after this many epochs, with a checkpoint and without a look at the test set. */
  readonly pauseAfter?: number;
}

/** How far a job is. */
export interface JobProgress {
  /** Epochs that are complete. */
  readonly epoch: number;
  readonly epochs: number;
  /** On the validation set, after the last of them. */
  readonly softAccuracy: number;
}

/** What a process tells of its job. Plain data: it goes between processes. */
export type JobMessage =
  | { readonly kind: 'progress'; readonly progress: JobProgress }
  | { readonly kind: 'done' }
  /** The job cannot be done; for a fault of the user's, or one of ours. */
  | { readonly kind: 'failed'; readonly fault: 'input' | 'diverged' | 'internal'; readonly message: string };

/** What a process is told: a job, or to leave its job at a checkpoint. */
export type JobOrder = { readonly kind: 'begin'; readonly job: Job } | { readonly kind: 'leave' };
