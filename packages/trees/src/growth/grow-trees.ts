import { at } from '../checked-access.js';
import { binPlace } from '../memory/blocks.js';
import { ROWS_PER_TASK } from '../memory/layout.js';
import { BINS } from '../wasm/histogram-kernels.js';
import { countAndSearch, countRoots, type Search } from './count-and-search.js';
import { type Division, GrowingTree, type Leaf } from './growing-tree.js';
import type { GrowthOptions, Units, Workspace } from './workspace.js';

/** A tree that is to grow. */
export interface PlannedTree {
  /** Which of the trees of the round it is: whose gradients it learns from. */
  readonly tree: number;
  /** 1 for the features that it may ask for. */
  readonly features: Uint8Array;
}

/**
 * Grows trees side by side, one leaf of each at a time, so that threads meet once for all of them. Every thread calls this with the same
 * arguments and has the same trees in the end; their rows by leaf are in the shared memory.
 *
 * @param sampled - how many rows the trees learn from
 */
export function growTrees(
  space: Workspace,
  options: GrowthOptions,
  units: Units,
  planned: readonly PlannedTree[],
  sampled: number,
): GrowingTree[] {
  const { layout, team } = space;
  const firstRow = (batch: number) => layout.leafRows / 4 + batch * layout.rows;
  team.share(planned.length, (batch) => {
    space.int32.copyWithin(firstRow(batch), layout.sample / 4, layout.sample / 4 + sampled);
  });
  const roots = countRoots(
    space,
    planned.map(({ tree }) => tree),
    sampled,
  );
  const growing = roots.map((root) => new GrowingTree(options, units, space.countBits, root));
  const search = (batch: number, leaves: readonly Leaf[], parentSlot: number | null): Search => ({
    ...at(planned, batch),
    batch,
    growing: at(growing, batch),
    leaves,
    parentSlot,
  });
  countAndSearch(
    space,
    options,
    units,
    growing.map((tree, batch) => search(batch, [at(tree.leaves, 0)], null)),
  );
  for (;;) {
    const divisions = growing.map((tree) => tree.divide());
    if (divisions.every((division) => division === undefined)) return growing;
    divideRows(space, divisions);
    const searches = divisions.flatMap((division, batch) => {
      if (division === undefined) return [];
      const { left, right, parent } = division;
      // The smaller one first: it is counted.
      const leaves = right.slot === parent.slot ? [left, right] : [right, left];
      return [search(batch, leaves, parent.slot)];
    });
    countAndSearch(space, options, units, searches);
  }
}

/** Puts the rows of divided leaves in order: those that go left in front. */
function divideRows(space: Workspace, divisions: readonly (Division | undefined)[]): void {
  const { layout, team, kernels, bytes, int32 } = space;
  const tasks: { readonly batch: number; readonly chunk: number; readonly division: Division }[] = [];
  divisions.forEach((division, batch) => {
    if (division === undefined) return;
    bytes.set(division.split.table, tableOf(space, batch));
    for (let chunk = 0; chunk * ROWS_PER_TASK < division.parent.count; chunk++) tasks.push({ batch, chunk, division });
  });
  team.share(tasks.length, (task) => {
    const { batch, chunk, division } = at(tasks, task);
    const { split, parent } = division;
    const { offset, stride } = binPlace(layout.blocks, split.feature);
    const bins = layout.bins + offset;
    const tree = 4 * batch * layout.rows;
    const from = 4 * (parent.start + chunk * ROWS_PER_TASK);
    const to = 4 * (parent.start + Math.min(parent.count, (chunk + 1) * ROWS_PER_TASK));
    const rows = layout.leafRows + tree;
    const right = layout.rightRows + tree + from;
    const table = tableOf(space, batch);
    if (parent.count <= ROWS_PER_TASK) {
      // In place: what goes left is never written behind what is read.
      const end = kernels.partition(rows + from, rows + to, bins, stride, table, rows + from, right);
      int32.copyWithin(end / 4, right / 4, (right + rows + to - end) / 4);
      return;
    }
    const left = layout.leftRows + tree + from;
    const end = kernels.partition(rows + from, rows + to, bins, stride, table, left, right);
    int32[layout.chunkLefts / 4 + batch * layout.chunks + chunk] = (end - left) / 4;
  });
  const divided = tasks.filter(({ division }) => division.parent.count > ROWS_PER_TASK);
  if (divided.length === 0) return;
  team.share(divided.length, (task) => {
    const { batch, chunk, division } = at(divided, task);
    const { start, count } = division.parent;
    const lefts = layout.chunkLefts / 4 + batch * layout.chunks;
    let before = 0;
    for (let other = 0; other < chunk; other++) before += at(int32, lefts + other);
    const own = at(int32, lefts + chunk);
    const from = chunk * ROWS_PER_TASK;
    const others = Math.min(count - from, ROWS_PER_TASK) - own;
    const tree = batch * layout.rows + start;
    const rows = layout.leafRows / 4 + tree;
    const left = layout.leftRows / 4 + tree + from;
    const right = layout.rightRows / 4 + tree + from;
    int32.copyWithin(rows + before, left, left + own);
    int32.copyWithin(rows + division.left.count + from - before, right, right + others);
  });
}

function tableOf({ layout, team }: Workspace, batch: number): number {
  return layout.tables + (team.index * layout.batch + batch) * BINS;
}
