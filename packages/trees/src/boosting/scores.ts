import { at } from '../checked-access.js';
import type { GrowingTree } from '../growth/growing-tree.js';
import type { Workspace } from '../growth/workspace.js';
import { binPlace } from '../memory/blocks.js';
import { ROWS_PER_TASK } from '../memory/layout.js';
import { leftBinsOfTree, type Tree } from '../model/tree.js';
import { BINS } from '../wasm/histogram-kernels.js';

/** Adds what the leaves of grown trees say to the scores of the rows that they learned from. */
export function addLeaves(
  { layout, team, int32, float64 }: Workspace,
  member: number,
  grown: readonly { readonly tree: number; readonly growing: GrowingTree }[],
): void {
  const tasks = grown.flatMap(({ tree, growing }, batch) =>
    growing.leaves.map((leaf) => ({ tree, batch, growing, leaf })),
  );
  team.share(tasks.length, (task) => {
    const { tree, batch, growing, leaf } = at(tasks, task);
    const { value } = at(growing.nodes, leaf.node);
    const rows = layout.leafRows / 4 + batch * layout.rows + leaf.start;
    const scores = layout.scores / 8 + member * layout.rows * layout.trees + tree;
    for (let i = 0; i < leaf.count; i++) {
      const score = scores + (int32[rows + i] ?? 0) * layout.trees;
      float64[score] = (float64[score] ?? 0) + value;
    }
  });
}

/** Adds what a tree says of rows that it did not learn from: they go through it by their bins. */
export function addTree(space: Workspace, member: number, tree: number, built: Tree, from: number, to: number): void {
  const { layout, team, int32, float64, bytes, columns } = space;
  const tables = leftBinsOfTree(columns, built);
  const places = Array.from(built.features, (feature) =>
    feature < 0 ? { offset: 0, stride: 0 } : binPlace(layout.blocks, feature),
  );
  const bins = Float64Array.from(places, ({ offset }) => layout.bins + offset);
  const strides = Int32Array.from(places, ({ stride }) => stride);
  const scores = layout.scores / 8 + member * layout.rows * layout.trees + tree;
  team.share(Math.ceil((to - from) / ROWS_PER_TASK), (task) => {
    const first = from + task * ROWS_PER_TASK;
    const last = Math.min(to, first + ROWS_PER_TASK);
    for (let i = first; i < last; i++) {
      const row = int32[layout.sample / 4 + i] ?? 0;
      let node = 0;
      while ((built.features[node] ?? -1) >= 0) {
        const bin = bytes[(bins[node] ?? 0) + row * (strides[node] ?? 0)] ?? 0;
        node = (tables[node * BINS + bin] === 1 ? built.left[node] : built.right[node]) ?? 0;
      }
      const score = scores + row * layout.trees;
      float64[score] = (float64[score] ?? 0) + (built.values[node] ?? 0);
    }
  });
}
