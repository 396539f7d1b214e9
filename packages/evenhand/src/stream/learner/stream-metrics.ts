import type { PrequentialMetrics } from '@evenhand/streams';
import type { SavedCounts, SavedParts } from './learner-state.js';

/** How good answers have been, and what came in. */
export interface StreamMetrics extends SavedCounts {
  readonly classes: readonly string[];
  /** Of each class, rows with labels of late: the newest counts 1, older ones less and less. */
  readonly recentRows: readonly number[];
  /** Rows that wait for their label. */
  readonly waiting: number;
  /** Values that are no number where one is expected. */
  readonly invalid: number;
  readonly faded: PrequentialMetrics;
  readonly windowed: PrequentialMetrics;
}

/** The metrics of a learner, be it one that was saved. */
export function streamMetrics({
  counts,
  classNames,
  statistics,
  pending,
  features,
  evaluation,
}: SavedParts): StreamMetrics {
  return {
    ...counts,
    classes: [...classNames],
    recentRows: Array.from(statistics.frequencies, (rows) => Number(rows.toPrecision(DIGITS))),
    waiting: pending.waiting,
    invalid: features.invalid,
    faded: evaluation.faded(),
    windowed: evaluation.windowed(),
  };
}

/** Of a faded number of rows. */
const DIGITS = 6;
