import type { Column } from './column.js';

/** What every data set has, wherever it comes from. */
interface DatasetBase {
  /** Where it comes from, for people: a file's name, `mnist`. */
  readonly name: string;
  /**
   * Names of the classes; a label is an index in this list. In the source's own order where it has one (Fashion-MNIST), else
   * numbers ascending where all names are numbers, else by code unit.
   */
  readonly classNames: readonly string[];
  /** The class of every instance. */
  readonly labels: Int32Array;
  /** SHA-256, in hex, of what training could see: labels, class names, features. Not of file names or formats. */
  readonly contentHash: string;
  /** The instances that the source itself sets aside for testing, where it does. */
  readonly officialTest?: Int32Array;
  /** What a person should be told: columns left out, values missing, images skipped. */
  readonly notes: readonly string[];
}

/** A table with a target column; `columns` are the features. */
export interface TableDataset extends DatasetBase {
  readonly kind: 'table';
  readonly target: string;
  readonly columns: readonly Column[];
  /** Columns that were recognised and are not used for training, such as identifiers; a grouping column is among them. */
  readonly leftOut: readonly Column[];
  /** The one of them that says which rows belong together, if there is one. */
  readonly group?: string;
  /** The number that each row has in the file, from 1, where some of its rows are not here. */
  readonly rowNumbers?: Int32Array;
  /** How the cells of the file are written, if it is CSV. */
  readonly writing?: { readonly delimiter: string; readonly decimalMark: string };
}

/** Images of one size. */
export interface ImageDataset extends DatasetBase {
  readonly kind: 'images';
  /** Channels (1 or 3), height and width. */
  readonly shape: readonly [channels: number, height: number, width: number];
  /** `[instances, channels, height, width]` */
  readonly pixels: Uint8Array<ArrayBuffer>;
  /** Where each image was read, if it is a file of its own; relative to `folder`. */
  readonly files?: readonly string[];
  readonly folder?: string;
}

export type Dataset = TableDataset | ImageDataset;
