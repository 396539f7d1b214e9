// Boosting as one would write it down: no histograms, no bins, no integers. Every threshold of every column is tried in every leaf.
import type { TrainingData } from '../src/index.js';

/** A node of a reference tree. */
export interface ReferenceNode {
  readonly rows: readonly number[];
  feature: number;
  threshold: number;
  missingLeft: boolean;
  value: number;
  children: readonly [ReferenceNode, ReferenceNode] | null;
}

interface Best {
  readonly gain: number;
  readonly feature: number;
  readonly threshold: number;
  readonly missingLeft: boolean;
  readonly left: readonly number[];
  readonly right: readonly number[];
}

const MINIMAL_ROWS = 5;

/** Scores of all rows after rounds of boosting with one-hot labels, and the trees: `[round][class]`. Two classes have trees as well, one each. */
export function referenceTrees(data: TrainingData, rounds: number, leaves: number): ReferenceNode[][] {
  const { classes, labels } = data;
  const rows = Array.from(labels, (_, i) => i);
  const prior = Array.from({ length: classes }, (_, k) =>
    Math.log(rows.filter((i) => labels[i] === k).length / rows.length),
  );
  const scores = rows.map(() => [...prior]);
  return Array.from({ length: rounds }, () => {
    const probabilities = scores.map((own) => {
      const powers = own.map(Math.exp);
      const sum = powers.reduce((a, b) => a + b, 0);
      return powers.map((power) => power / sum);
    });
    return prior.map((_, k) => {
      const gradients = rows.map((i) => (probabilities[i]?.[k] ?? 0) - (labels[i] === k ? 1 : 0));
      const hessians = rows.map((i) => (probabilities[i]?.[k] ?? 0) * (1 - (probabilities[i]?.[k] ?? 0)));
      const tree = grow(data, rows, gradients, hessians, leaves);
      for (const leaf of leavesOf(tree)) {
        for (const i of leaf.rows) {
          const own = scores[i];
          if (own !== undefined) own[k] = (own[k] ?? 0) + leaf.value;
        }
      }
      return tree;
    });
  });
}

function leavesOf(node: ReferenceNode): ReferenceNode[] {
  return node.children === null ? [node] : node.children.flatMap(leavesOf);
}

function grow(data: TrainingData, rows: readonly number[], g: readonly number[], h: readonly number[], leaves: number) {
  const nodeOf = (own: readonly number[]): ReferenceNode => ({
    rows: own,
    feature: -1,
    threshold: 0,
    missingLeft: false,
    value: (-0.1 * sum(g, own)) / sum(h, own),
    children: null,
  });
  const root = nodeOf(rows);
  for (let count = 1; count < leaves; count++) {
    const candidates = leavesOf(root).map((leaf) => ({ leaf, best: bestSplit(data, leaf.rows, g, h) }));
    const chosen = candidates.reduce((a, b) => ((b.best?.gain ?? 0) > (a.best?.gain ?? 0) ? b : a));
    if (chosen.best === null) break;
    const { leaf, best } = chosen;
    leaf.feature = best.feature;
    leaf.threshold = best.threshold;
    leaf.missingLeft = best.missingLeft;
    leaf.children = [nodeOf(best.left), nodeOf(best.right)];
  }
  return root;
}

function bestSplit(
  data: TrainingData,
  rows: readonly number[],
  g: readonly number[],
  h: readonly number[],
): Best | null {
  let best: Best | null = null;
  const score = (own: readonly number[]) => sum(g, own) ** 2 / sum(h, own);
  for (let feature = 0; feature < data.columns; feature++) {
    const value = (i: number) => data.values[i * data.columns + feature] ?? 0;
    const all = [...new Set(Array.from(data.labels, (_, i) => value(i)).filter((v) => !Number.isNaN(v)))].sort(
      (a, b) => a - b,
    );
    const thresholds = all.map((v, i) => (v + (all[i + 1] ?? Number.POSITIVE_INFINITY)) / 2);
    const missing = rows.filter((i) => Number.isNaN(value(i)));
    for (const missingLeft of missing.length > 0 ? [false, true] : [false]) {
      for (const threshold of thresholds) {
        const left = rows.filter((i) => value(i) <= threshold || (missingLeft && Number.isNaN(value(i))));
        const inLeft = new Set(left);
        const right = rows.filter((i) => !inLeft.has(i));
        if (left.length < MINIMAL_ROWS || right.length < MINIMAL_ROWS) continue;
        if (sum(h, left) < 1e-3 || sum(h, right) < 1e-3) continue;
        const gain = score(left) + score(right) - score(rows);
        // Equal but for rounding is equal: the first stays.
        if (gain > (best?.gain ?? 0) * (1 + 1e-9) + 1e-9) best = { gain, feature, threshold, missingLeft, left, right };
      }
    }
  }
  return best;
}

function sum(values: readonly number[], rows: readonly number[]): number {
  return rows.reduce((all, i) => all + (values[i] ?? 0), 0);
}
