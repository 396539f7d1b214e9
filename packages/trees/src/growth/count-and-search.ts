import { binCount, MISSING_BIN } from '../bins/column.js';
import { at } from '../checked-access.js';
import type { FeatureBlock } from '../memory/blocks.js';
import { leafHistogramBytes } from '../memory/layout.js';
import { BIN_BYTES, BINS } from '../wasm/histogram-kernels.js';
import { RECORD } from '../wasm/split-kernel.js';
import { findCategorySplit } from './category-split.js';
import type { GrowingTree, Leaf, Sums } from './growing-tree.js';
import type { GrowthOptions, Units, Workspace } from './workspace.js';

/** Leaves of a tree whose best splits are looked for. */
export interface Search {
  readonly batch: number;
  readonly tree: number;
  readonly features: Uint8Array;
  readonly growing: GrowingTree;
  /** The root, or two children, the smaller first. */
  readonly leaves: readonly Leaf[];
  /** Where the histograms of the parent are, which become those of the larger child. Those of a root have been counted. */
  readonly parentSlot: number | null;
}

/** Counts the histograms of all rows of trees, and returns the sums of each: exact, because they are integers. */
export function countRoots(space: Workspace, trees: readonly number[], sampled: number): Sums[] {
  const { layout, team } = space;
  const { blocks } = layout;
  team.share(trees.length * blocks.length, (task) => {
    const batch = Math.floor(task / blocks.length);
    countBlock(space, batch, at(trees, batch), { slot: 0, start: 0, count: sampled }, at(blocks, task % blocks.length));
  });
  return trees.map((_, batch) => {
    let gradients = 0n;
    let hessians = 0n;
    const first = slotAddress(space, batch, 0) / 8;
    for (let entry = first; entry < first + 2 * BINS; entry += 2) {
      gradients += at(space.int64, entry);
      hessians += at(space.int64, entry + 1);
    }
    return { gradients, hessians };
  });
}

/** Counts the histograms of leaves and finds their best splits. A task is a block of features of one tree. */
export function countAndSearch(
  space: Workspace,
  options: GrowthOptions,
  units: Units,
  searches: readonly Search[],
): void {
  const { layout, team } = space;
  const needed = searches.filter(({ growing, leaves }) => leaves.some((leaf) => growing.canDivide(leaf)));
  for (const search of needed) writeTotals(space, search);
  team.share(needed.length * layout.blocks.length, (task) => {
    const search = at(needed, Math.floor(task / layout.blocks.length));
    const block = at(layout.blocks, task % layout.blocks.length);
    countChildren(space, search, block);
    search.leaves.forEach((leaf, child) => {
      if (search.growing.canDivide(leaf)) searchBlock(space, options, units, search, block, leaf, child);
    });
  });
  for (const { batch, growing, leaves } of needed) {
    leaves.forEach((leaf, child) => {
      if (growing.canDivide(leaf)) growing.readBest(space, leaf, recordsOf(space, batch, child));
    });
  }
}

function countChildren(space: Workspace, { batch, tree, leaves, parentSlot }: Search, block: FeatureBlock): void {
  const [smaller] = leaves;
  if (smaller === undefined || parentSlot === null) return;
  countBlock(space, batch, tree, smaller, block);
  const offset = leafHistogramBytes(block.first);
  const parent = slotAddress(space, batch, parentSlot) + offset;
  const counted = slotAddress(space, batch, smaller.slot) + offset;
  space.kernels.subtract(parent, counted, parent + leafHistogramBytes(block.width));
}

function countBlock(
  space: Workspace,
  batch: number,
  tree: number,
  { slot, start, count }: Pick<Leaf, 'slot' | 'start' | 'count'>,
  { first, width, offset }: FeatureBlock,
): void {
  const { layout, kernels } = space;
  const histogram = slotAddress(space, batch, slot) + leafHistogramBytes(first);
  const rows = layout.leafRows + 4 * (batch * layout.rows + start);
  const statistics = layout.statistics + BIN_BYTES * tree * layout.rows;
  kernels.clear(histogram, leafHistogramBytes(width));
  const add = at(kernels.histograms, width - 1);
  add(rows, rows + 4 * count, layout.bins + offset, statistics, histogram);
}

function searchBlock(
  space: Workspace,
  options: GrowthOptions,
  units: Units,
  { batch, growing, features }: Search,
  block: FeatureBlock,
  leaf: Leaf,
  child: number,
): void {
  const { kernels, float64, int32 } = space;
  const score = growing.scoreToBeat(leaf);
  const totals = totalsOf(space, batch, child);
  const l2 = options.l2 / units.hessian;
  const leastHessian = options.minimalLeafHessian / units.hessian;
  for (let feature = block.first; feature < block.first + block.width; feature++) {
    const record = recordsOf(space, batch, child) + feature * RECORD.bytes;
    float64[(record + RECORD.score) / 8] = score;
    if (features[feature] !== 1) continue;
    const column = at(space.columns, feature);
    const histogram = slotAddress(space, batch, leaf.slot) + leafHistogramBytes(feature);
    if (column.kind === 'category') {
      findCategorySplit(space, options, units, column, histogram, totals, record);
      continue;
    }
    const bins = binCount(column);
    kernels.split(histogram, totals, bins, 0, l2, leastHessian, record);
    // The low word of the Hessians of the missing values has their count.
    const missing = int32[(histogram + MISSING_BIN * BIN_BYTES + 8) / 4] !== 0;
    if (column.missing && missing) kernels.split(histogram, totals, bins, 1, l2, leastHessian, record);
  }
}

/** Every thread has its own, or one would write what another reads. */
function writeTotals(space: Workspace, { batch, leaves }: Search): void {
  leaves.forEach(({ gradients, hessians }, child) => {
    const totals = totalsOf(space, batch, child) / 8;
    space.int64[totals] = gradients;
    space.int64[totals + 1] = hessians;
  });
}

function totalsOf({ layout, team }: Workspace, batch: number, child: number): number {
  return layout.totals + ((team.index * layout.batch + batch) * 2 + child) * BIN_BYTES;
}

function recordsOf({ layout }: Workspace, batch: number, child: number): number {
  return layout.records + (batch * 2 + child) * layout.features * RECORD.bytes;
}

/** Where the histograms of a leaf are. */
function slotAddress({ layout }: Workspace, batch: number, slot: number): number {
  return layout.histograms + (batch * layout.leaves + slot) * leafHistogramBytes(layout.features);
}
