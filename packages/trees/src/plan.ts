import type { SessionSetting } from './boosting/session.js';
import { TreesError } from './errors.js';
import { ADDRESSABLE } from './memory/arena.js';
import type { Sizes } from './memory/layout.js';
import { layOut } from './memory/layout.js';
import { type ResolvedOptions, resolveOptions, type TreeOptions } from './options.js';
import { type CheckedData, checkData, type TrainingData } from './training-data.js';

/** A training that has been checked and whose memory is known. */
export interface Plan {
  readonly options: ResolvedOptions;
  readonly setting: SessionSetting;
  /** Bytes that it takes, beside the table. */
  readonly bytes: number;
}

/**
 * Checks data and options, and estimates the memory.
 *
 * @throws {@link TreesError}
 */
export function planTraining(data: TrainingData, given: TreeOptions, threads: number): Plan {
  const options = resolveOptions(given);
  const checked = checkData(data);
  const sizes = sizesOf(data, checked, options, threads);
  const { bytes } = layOut(sizes);
  const most = Math.min(ADDRESSABLE, options.memory ?? ADDRESSABLE);
  if (bytes > most) {
    throw new TreesError(
      `fit: ${sizes.rows} rows, ${sizes.features} columns, ${data.classes} classes and ${sizes.members} members would take ` +
        `${megabytes(bytes)} of memory; expected at most ${megabytes(most)}. Use fewer members, rows, columns or leaves`,
    );
  }
  const { values, categorical = [], classes, baseline } = data;
  const table = { values, categorical, bins: options.bins };
  const { labels } = checked;
  return { options, bytes, setting: { sizes, classes, options, labels, baseline, table, shared: threads > 0 } };
}

/** Bytes that training takes, beside the table itself: what `fit` refuses above the option `memory`. */
export function memoryOf(data: TrainingData, options: TreeOptions = {}): number {
  return layOut(sizesOf(data, checkData(data), resolveOptions(options), 1)).bytes;
}

/** @param threads - 0 for the thread of the caller */
function sizesOf(
  data: TrainingData,
  { rows, members }: CheckedData,
  { leaves }: ResolvedOptions,
  threads: number,
): Sizes {
  // More leaves than rows there cannot be.
  const possible = Math.max(2, Math.min(leaves, rows));
  const trees = data.classes === 2 ? 1 : data.classes;
  return { rows, features: data.columns, trees, members, leaves: possible, threads: Math.max(1, threads) };
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
