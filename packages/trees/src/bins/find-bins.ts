import type { CategoryColumn, NumberColumn } from './column.js';

/** Rows that the edges of a column of numbers are found with. */
export const EDGE_ROWS = 65_536;

/**
 * Edges in the middle between neighbouring values, or, where there are more values than bins, at the quantiles: as scikit-learn has
 * them, but rounded to float32, in which the trees compare.
 *
 * @param values - missing ones are NaN
 */
export function findNumberBins(values: Float32Array, largest: number): NumberColumn {
  const present = values.filter((value) => !Number.isNaN(value)).sort();
  const distinct = present.filter((value, i) => i === 0 || value !== present[i - 1]);
  const missing = present.length < values.length;
  const edges = distinct.length <= largest ? middles(distinct) : quantiles(present, largest);
  return { kind: 'number', edges, missing };
}

function middles(distinct: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.max(0, distinct.length - 1) }, (_, i) =>
    edgeBetween(distinct[i] ?? 0, distinct[i + 1] ?? 0),
  );
}

/** An edge e of float32 with low ≤ e < high. */
function edgeBetween(low: number, high: number): number {
  const middle = Math.fround(low / 2 + high / 2);
  return middle >= low && middle < high ? middle : low;
}

function quantiles(sorted: Float32Array, bins: number): Float32Array {
  const edges: number[] = [];
  for (let i = 1; i < bins; i++) {
    const position = (i / bins) * (sorted.length - 1);
    const low = sorted[Math.floor(position)] ?? 0;
    const high = sorted[Math.ceil(position)] ?? 0;
    const edge = low === high ? low : edgeBetween(low, high);
    const last = edges.at(-1);
    if (last === undefined || edge > last) edges.push(edge);
  }
  // Above the last edge there is something, or it would divide nothing.
  if (edges.at(-1) === sorted.at(-1)) edges.pop();
  return Float32Array.from(edges);
}

/** The most frequent categories, the lower first where they are equally frequent. */
export function findCategoryBins(values: Float32Array, largest: number): CategoryColumn {
  const counts = new Map<number, number>();
  for (const value of values) if (!Number.isNaN(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
  const frequent = [...counts].sort(([a, often], [b, oftener]) => oftener - often || a - b).slice(0, largest);
  return { kind: 'category', categories: Float32Array.from(frequent, ([category]) => category) };
}
