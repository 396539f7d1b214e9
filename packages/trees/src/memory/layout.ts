import { BIN_BYTES, BINS } from '../wasm/histogram-kernels.js';
import { RECORD } from '../wasm/split-kernel.js';
import { Arena } from './arena.js';
import { type FeatureBlock, featureBlocks } from './blocks.js';

/** Rows that are one task where rows are shared out among threads. */
export const ROWS_PER_TASK = 16_384;

/** Trees that grow side by side, unless their histograms take too much memory: a tree of many columns keeps all threads busy by itself. */
const TREES_AT_ONCE = 8;
const HISTOGRAM_MEMORY = 8 * 2 ** 20;

/** How large the data and the model are. */
export interface Sizes {
  readonly rows: number;
  readonly features: number;
  /** Trees of a member in every round: one per class, or one for two classes. */
  readonly trees: number;
  readonly members: number;
  readonly leaves: number;
  readonly threads: number;
}

/** Where everything is in the memory that threads share: addresses in bytes. */
export interface Layout extends Sizes {
  readonly blocks: readonly FeatureBlock[];
  /** Trees that grow side by side. */
  readonly batch: number;
  /** Tasks that all rows are. */
  readonly chunks: number;
  /** `[block][row][feature of the block]`, a byte each. */
  readonly bins: number;
  /** The label row of every row: int32. */
  readonly labels: number;
  /** Float32 for every row. */
  readonly weights: number;
  /** The member that leaves out a row, or −1: int32. */
  readonly folds: number;
  /** `[member][row][tree]`, float64. */
  readonly scores: number;
  /** `[tree][row]`: gradient and Hessian as integers, the pair in 16 bytes. */
  readonly statistics: number;
  /** Rows that a member learns from in a round, then those it does not: int32. */
  readonly sample: number;
  /** `[tree of the batch][row]`, int32: rows by leaf, and room to divide them. */
  readonly leafRows: number;
  readonly leftRows: number;
  readonly rightRows: number;
  /** `[tree of the batch][leaf][feature][bin]` */
  readonly histograms: number;
  /** `[tree of the batch][child][feature]`: the best split of each. */
  readonly records: number;
  /** `[thread][tree of the batch][child]`: sums of a node. */
  readonly totals: number;
  /** `[thread][tree of the batch]`: which bins go left. */
  readonly tables: number;
  /** `[tree of the batch][chunk]`: rows that go left, int32. */
  readonly chunkLefts: number;
  /** Two float64 for every chunk. */
  readonly chunkSums: number;
  /** `[feature][bin]`, float32: edges or categories, and for every feature how many there are, and whether values are missing: int32. */
  readonly edges: number;
  readonly edgeCounts: number;
  readonly bytes: number;
  readonly pages: number;
}

/** Bytes of the histograms of one leaf. */
export function leafHistogramBytes(features: number): number {
  return features * BINS * BIN_BYTES;
}

/** Bytes from `statistics` on that nothing is in before the first round, and that a copy of the table may have until then. */
export function idleBytes({ statistics, records }: Layout): number {
  return records - statistics;
}

export function layOut(sizes: Sizes): Layout {
  const { rows, features, trees, members, leaves, threads } = sizes;
  const perTree = leaves * leafHistogramBytes(features);
  const batch = Math.min(trees, TREES_AT_ONCE, Math.max(1, Math.floor(HISTOGRAM_MEMORY / perTree)));
  const chunks = Math.ceil(rows / ROWS_PER_TASK);
  const arena = new Arena();
  return {
    ...sizes,
    blocks: featureBlocks(features, rows, threads),
    batch,
    chunks,
    bins: arena.take(rows * features),
    labels: arena.take(4 * rows),
    weights: arena.take(4 * rows),
    folds: arena.take(4 * rows),
    scores: arena.take(8 * rows * trees * members),
    statistics: arena.take(BIN_BYTES * rows * trees),
    sample: arena.take(4 * rows),
    leafRows: arena.take(4 * rows * batch),
    leftRows: arena.take(4 * rows * batch),
    rightRows: arena.take(4 * rows * batch),
    histograms: arena.take(perTree * batch),
    records: arena.take(2 * features * batch * RECORD.bytes),
    totals: arena.take(threads * batch * 2 * BIN_BYTES),
    tables: arena.take(threads * batch * BINS),
    chunkLefts: arena.take(4 * batch * chunks),
    chunkSums: arena.take(16 * chunks),
    edges: arena.take(4 * BINS * features),
    edgeCounts: arena.take(8 * features),
    bytes: arena.bytes,
    pages: arena.pages,
  };
}
