import { int32At } from '../checked-access.js';
import type { Dataset } from '../dataset/dataset.js';

/** What a set of instances is drawn from. */
export interface Pool {
  readonly dataset: Dataset;
  /** Where the instances are, ascending. */
  readonly places: Int32Array;
  /** For every instance of the data set the first place of its block. Those of one block stay together. */
  readonly blockOf: Int32Array;
}

/** The blocks of a pool, in the order of their first places. Block b has `places[starts[b]]` to `places[starts[b + 1] − 1]`. */
export interface Blocks {
  readonly places: Int32Array;
  readonly starts: Int32Array;
}

/** Sorts the instances of a pool by their blocks, by counting. */
export function blocksOf({ places, blockOf }: Pool): Blocks {
  // First where each block starts, then, while it is filled, where its next instance goes.
  const next = new Int32Array(blockOf.length + 1);
  for (const place of places) {
    const first = int32At(blockOf, place);
    next[first + 1] = int32At(next, first + 1) + 1;
  }
  for (let i = 1; i < next.length; i++) next[i] = int32At(next, i) + int32At(next, i - 1);
  // A place that is not the first of a block here repeats the start after it.
  const starts = next.filter((start, i) => start !== next[i + 1]);
  const sorted = new Int32Array(places.length);
  for (const place of places) {
    const first = int32At(blockOf, place);
    const to = int32At(next, first);
    sorted[to] = place;
    next[first] = to + 1;
  }
  return { places: sorted, starts };
}

export function blockSize({ starts }: Blocks, block: number): number {
  return int32At(starts, block + 1) - int32At(starts, block);
}
