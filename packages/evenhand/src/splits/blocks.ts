import { int32At } from '../checked-access.js';
import type { Dataset } from '../dataset/dataset.js';

/** What a set of instances is drawn from. */
export interface Pool {
  readonly dataset: Dataset;
  /** Those that may be drawn, ascending. */
  readonly instances: Int32Array;
  /** For every instance of the data set the first instance of its block. Those of one block stay together. */
  readonly blockOf: Int32Array;
}

/** The blocks of a pool, in the order of their first instances. Those of block b stand from `starts[b]` to before `starts[b + 1]`. */
export interface Blocks {
  readonly instances: Int32Array;
  readonly starts: Int32Array;
}

/** Sorts the instances of a pool by their blocks, by counting. */
export function blocksOf({ instances, blockOf }: Pool): Blocks {
  // First where each block starts, then, while it is filled, where its next instance goes.
  const next = new Int32Array(blockOf.length + 1);
  for (const instance of instances) {
    const first = int32At(blockOf, instance);
    next[first + 1] = int32At(next, first + 1) + 1;
  }
  for (let i = 1; i < next.length; i++) next[i] = int32At(next, i) + int32At(next, i - 1);
  // An instance that is not the first of a block here repeats the start after it.
  const starts = next.filter((start, i) => start !== next[i + 1]);
  const sorted = new Int32Array(instances.length);
  for (const instance of instances) {
    const first = int32At(blockOf, instance);
    const to = int32At(next, first);
    sorted[to] = instance;
    next[first] = to + 1;
  }
  return { instances: sorted, starts };
}

export function blockSize({ starts }: Blocks, block: number): number {
  return int32At(starts, block + 1) - int32At(starts, block);
}
