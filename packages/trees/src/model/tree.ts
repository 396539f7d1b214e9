import { type Column, MISSING_BIN, numberBin } from '../bins/column.js';
import { at } from '../checked-access.js';

/** A decision tree: node 0 is the root, and children come after their parents. */
export interface Tree {
  /** The column that a node splits on; −1 for a leaf. */
  readonly features: Int32Array;
  /** Numbers up to this go left. */
  readonly thresholds: Float32Array;
  /** 1 where missing numbers go left. */
  readonly missingLeft: Uint8Array;
  /** Categories that go left, for nodes that split on categories; all others go right, whether rare, unknown or missing. */
  readonly categories: readonly (Float32Array | null)[];
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** What a leaf adds to the score of its class. */
  readonly values: Float32Array;
  /** By how much the split of a node lowers the loss, to second order. */
  readonly gains: Float32Array;
}

/** What a node asks for. */
export interface Split {
  readonly feature: number;
  readonly threshold: number;
  readonly missingLeft: boolean;
  readonly categories: Float32Array | null;
}

/** A node that is being built. */
export interface TreeNode {
  split: (Split & { readonly gain: number; readonly left: number; readonly right: number }) | null;
  value: number;
}

export function treeOf(nodes: readonly TreeNode[]): Tree {
  return {
    features: Int32Array.from(nodes, ({ split }) => split?.feature ?? -1),
    thresholds: Float32Array.from(nodes, ({ split }) => split?.threshold ?? 0),
    missingLeft: Uint8Array.from(nodes, ({ split }) => (split?.missingLeft === true ? 1 : 0)),
    categories: nodes.map(({ split }) => split?.categories ?? null),
    left: Int32Array.from(nodes, ({ split }) => split?.left ?? -1),
    right: Int32Array.from(nodes, ({ split }) => split?.right ?? -1),
    values: Float32Array.from(nodes, ({ value }) => value),
    gains: Float32Array.from(nodes, ({ split }) => split?.gain ?? 0),
  };
}

/** For every bin of the column that a split asks for, 1 if it goes left. */
export function leftBins(column: Column, { threshold, missingLeft, categories }: Split): Uint8Array {
  const table = new Uint8Array(MISSING_BIN + 1);
  if (column.kind === 'category') {
    const listed = new Set(categories);
    column.categories.forEach((category, bin) => {
      if (listed.has(category)) table[bin] = 1;
    });
    return table;
  }
  table.fill(1, 0, numberBin(column.edges, threshold) + 1);
  table[MISSING_BIN] = missingLeft ? 1 : 0;
  return table;
}

/** The tables of all nodes of a tree, one after the other. */
export function leftBinsOfTree(columns: readonly Column[], tree: Tree): Uint8Array {
  const nodes = tree.features.length;
  const tables = new Uint8Array(nodes * (MISSING_BIN + 1));
  for (let node = 0; node < nodes; node++) {
    const feature = at(tree.features, node);
    if (feature >= 0) tables.set(leftBins(at(columns, feature), splitAt(tree, node)), node * (MISSING_BIN + 1));
  }
  return tables;
}

/** What a node of a tree asks for. */
export function splitAt(tree: Tree, node: number): Split {
  return {
    feature: at(tree.features, node),
    threshold: at(tree.thresholds, node),
    missingLeft: at(tree.missingLeft, node) === 1,
    categories: at(tree.categories, node),
  };
}
