import type { CheckpointKind } from '../runs/checkpoint.js';
import type { EpochMetrics } from '../runs/metrics-file.js';
import type { RunResult } from './result.js';

/** What happens in a training run, for whoever shows it. */
export type TrainingEvent =
  /** Images are being read: steps done, of all. */
  | { readonly kind: 'reading'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'dataset';
      readonly name: string;
      readonly instances: number;
      readonly classNames: readonly string[];
      readonly notes: readonly string[];
    }
  /** Numbers are instances of each class. */
  | {
      readonly kind: 'split';
      readonly training: readonly number[];
      readonly validation: readonly number[];
      readonly test: readonly number[];
      readonly notes: readonly string[];
    }
  /** Training begins, or goes on, in this epoch after this many of its steps. */
  | {
      readonly kind: 'started';
      /** Which network of a portfolio it is. */
      readonly member?: { readonly name: string; readonly index: number; readonly of: number };
      /** Whether it is training on all rows, after that in folds. Its epochs are told by their steps alone: nothing measures them. */
      readonly refit?: true;
      readonly epoch: number;
      readonly step: number;
      readonly epochs: number;
      readonly stepsPerEpoch: number;
      readonly batchSize: number;
      readonly notes: readonly string[];
    }
  /** Steps were done; the loss is their mean in this epoch so far. */
  | {
      readonly kind: 'steps';
      readonly epoch: number;
      readonly step: number;
      readonly stepsPerEpoch: number;
      readonly loss: number;
    }
  /** Seconds of the training steps, and of predicting the validation set and encoding the labels. */
  | {
      readonly kind: 'epoch';
      readonly metrics: EpochMetrics;
      readonly seconds: { readonly training: number; readonly encoding: number };
    }
  | {
      readonly kind: 'checkpoint';
      readonly checkpoint: CheckpointKind;
      readonly epoch: number;
      readonly step: number;
    }
  /** After training, for a table: of how many columns the importance is known. */
  | { readonly kind: 'importance'; readonly done: number; readonly columns: number }
  | { readonly kind: 'finished'; readonly result: RunResult };

/** Called with every event. An error that it throws ends the training. */
export type TrainingListener = (event: TrainingEvent) => void;
