import { describe, expect, it } from 'vitest';
import { fit, type Tree } from '../src/index.js';
import { randomTable } from './random-table.js';
import { type ReferenceNode, referenceTrees } from './reference.js';

/** A tree as text, node by node. */
function ours(tree: Tree, node = 0): string {
  const feature = tree.features[node] ?? -1;
  if (feature < 0) return (tree.values[node] ?? 0).toFixed(4);
  const [left = 0, right = 0] = [tree.left[node], tree.right[node]];
  return `(${feature} ${tree.thresholds[node]} ${ours(tree, left)} ${ours(tree, right)})`;
}

function theirs(node: ReferenceNode): string {
  if (node.children === null) return node.value.toFixed(4);
  return `(${node.feature} ${node.threshold} ${node.children.map(theirs).join(' ')})`;
}

describe('a straightforward implementation has the same splits, thresholds and leaves', () => {
  it.each([
    { name: 'three classes', seed: 3, missing: 0 },
    { name: 'missing values', seed: 4, missing: 0.15 },
  ])('$name', ({ seed, missing }) => {
    const data = randomTable({ seed, rows: 200, columns: 3, classes: 3, missing, categories: 0 });
    const { model } = fit(data, { rounds: 3, leaves: 6, minimalLeafRows: 5 });
    const reference = referenceTrees(data, 3, 6);
    const trees = model.members[0]?.rounds ?? [];
    expect(trees.map((round) => round.map((tree) => ours(tree)))).toEqual(reference.map((round) => round.map(theirs)));
  });
});

it('a category goes where the best of all divisions sends it', () => {
  // Categories 0, 3, 5 are of class 1, the others of class 0: one split is enough, whatever the order of the numbers.
  const rows = 600;
  const values = Float32Array.from({ length: rows }, (_, i) => i % 7);
  const labels = Int32Array.from(values, (value) => ([0, 3, 5].includes(value) ? 1 : 0));
  const { model } = fit({ values, columns: 1, classes: 2, labels, categorical: [0] }, { rounds: 1 });
  const [tree] = model.members[0]?.rounds[0] ?? [];
  expect(tree?.categories[0]).toEqual(Float32Array.of(0, 3, 5));
  expect(tree?.features).toEqual(Int32Array.of(0, -1, -1));
});

it('missing values go to the side that lowers the loss, and alone if that is best', () => {
  const rows = 400;
  const values = Float32Array.from({ length: rows }, (_, i) => (i % 4 === 0 ? Number.NaN : i % 10));
  const labels = Int32Array.from(values, (value) => (Number.isNaN(value) ? 1 : 0));
  const { model } = fit({ values, columns: 1, classes: 2, labels }, { rounds: 1, leaves: 2 });
  const [tree] = model.members[0]?.rounds[0] ?? [];
  expect(tree?.thresholds[0]).toBe(Number.POSITIVE_INFINITY);
  expect(tree?.missingLeft[0]).toBe(0);
});
