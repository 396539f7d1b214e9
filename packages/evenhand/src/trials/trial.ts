import type { Config } from '../config/schema.js';
import type { TrainingEvent } from '../training/events.js';

/** One of many runs. */
export interface Trial {
  /** Names it among the others; its run folder has this path within theirs. */
  readonly key: string;
  readonly config: Config;
  /**
   * Epochs after which it stops, at a checkpoint and without a look at the test set; asked for again with more of them, it goes
   * on from there. @defaultValue all, and then it is tested
   */
  readonly until?: number;
}

/** The result of a trial. A failure does not stop other trials. */
export type TrialResult<Kind extends Trial = Trial> = {
  readonly trial: Kind;
  /** Its run folder. */
  readonly folder: string;
} & (
  | { readonly status: 'done' }
  /** A number in training became infinite or NaN, as it would again. */
  | { readonly status: 'diverged'; readonly error: Error }
  /** It could not be carried out: its configuration is refused, its process was killed. */
  | { readonly status: 'failed'; readonly error: Error }
);

/** What happens to a trial. */
export type TrialEvent<Kind extends Trial = Trial> =
  | { readonly kind: 'begun'; readonly trial: Kind }
  | { readonly kind: 'training'; readonly trial: Kind; readonly event: TrainingEvent }
  | { readonly kind: 'ended'; readonly trial: Kind; readonly result: TrialResult<Kind> };
