import type { ColumnType } from '../dataset/column.js';

/** What a date shows: its day, and where it stands in the year, the week and the day, each as a point on a circle. */
export type DatePart =
  | 'day'
  | 'sine of year'
  | 'cosine of year'
  | 'sine of week'
  | 'cosine of week'
  | 'sine of day'
  | 'cosine of day';

/** How one column becomes numbers. Fitted on training rows, kept with the model. */
export type FeatureRule =
  /** `(x − mean)/std`, a missing value replaced by `fill` first; with `flagged`, a second feature says whether it was missing. */
  | {
      readonly kind: 'number';
      /** What x is, for a date. */
      readonly part?: DatePart;
      readonly mean: number;
      readonly std: number;
      readonly fill: number;
      readonly flagged: boolean;
    }
  /** A code from 1 for each known category; 0 for missing and unknown ones. */
  | { readonly kind: 'category'; readonly categories: readonly string[] };

/**
 * From a table's columns to the network's input: all numbers first, then the flags of those that may be missing, then all
 * codes of categories.
 */
export interface TablePreprocessing {
  readonly kind: 'table';
  readonly version: 1;
  readonly target: string;
  /** The columns that a prediction needs, by name, in the order of training. */
  readonly columns: readonly {
    readonly type: ColumnType;
    /** One rule for most columns; one per part for dates. */
    readonly rules: readonly FeatureRule[];
  }[];
}

/** From image files to the network's input. The normalisation is inside the model's graph. */
export interface ImagePreprocessing {
  readonly kind: 'images';
  readonly version: 1;
  readonly shape: readonly [channels: number, height: number, width: number];
  /** How an image of another size is brought to this one: scaled to cover it, then cropped in the middle. */
  readonly resize: 'cover';
}

export type Preprocessing = TablePreprocessing | ImagePreprocessing;
