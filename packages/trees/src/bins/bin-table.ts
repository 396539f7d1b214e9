import { at } from '../checked-access.js';
import type { Layout } from '../memory/layout.js';
import { ROWS_PER_TASK } from '../memory/layout.js';
import type { Team } from '../team.js';
import { BINS } from '../wasm/histogram-kernels.js';
import { type Column, MISSING_BIN, numberBin } from './column.js';
import { EDGE_ROWS, findCategoryBins, findNumberBins } from './find-bins.js';

/** A table as threads share it. */
export interface SharedTable {
  /** `[rows, columns]`, missing ones NaN. */
  readonly values: Float32Array;
  /** Columns of categories, by their places. */
  readonly categorical: readonly number[];
  /** Bins that a column may have. */
  readonly bins: number;
}

/** Finds the bins of all columns, a column being a task; every thread has all of them in the end. */
export function findBins(memory: WebAssembly.Memory, layout: Layout, team: Team, table: SharedTable): Column[] {
  const { rows, features } = layout;
  const { values, categorical, bins } = table;
  const categories = new Set(categorical);
  const found = new Float32Array(memory.buffer, layout.edges, features * BINS);
  const sizes = new Int32Array(memory.buffer, layout.edgeCounts, 2 * features);
  team.share(features, (feature) => {
    const isCategory = categories.has(feature);
    // Evenly spread rows are enough for quantiles. Categories are counted all.
    const taken = isCategory ? rows : Math.min(rows, EDGE_ROWS);
    const own = new Float32Array(taken);
    for (let i = 0; i < taken; i++) own[i] = values[Math.floor((i * rows) / taken) * features + feature] ?? Number.NaN;
    const column = isCategory ? findCategoryBins(own, bins) : findNumberBins(own, bins);
    const entries = column.kind === 'number' ? column.edges : column.categories;
    found.set(entries, feature * BINS);
    sizes[2 * feature] = entries.length;
    sizes[2 * feature + 1] = column.kind === 'number' && hasMissing(values, features, feature) ? 1 : 0;
  });
  return Array.from({ length: features }, (_, feature) => {
    const entries = found.slice(feature * BINS, feature * BINS + at(sizes, 2 * feature));
    if (categories.has(feature)) return { kind: 'category', categories: entries };
    return { kind: 'number', edges: entries, missing: at(sizes, 2 * feature + 1) === 1 };
  });
}

function hasMissing(values: Float32Array, features: number, feature: number): boolean {
  for (let i = feature; i < values.length; i += features) if (Number.isNaN(values[i])) return true;
  return false;
}

/** Writes the bins of all rows, a chunk of rows being a task. */
export function writeBins(
  memory: WebAssembly.Memory,
  layout: Layout,
  team: Team,
  { values }: SharedTable,
  columns: readonly Column[],
): void {
  const { rows, features, chunks } = layout;
  const target = new Uint8Array(memory.buffer, layout.bins, rows * features);
  const binOf = columns.map(binFinder);
  team.share(chunks, (chunk) => {
    const from = chunk * ROWS_PER_TASK;
    const to = Math.min(rows, from + ROWS_PER_TASK);
    for (const { first, width, offset } of layout.blocks) {
      for (let feature = first; feature < first + width; feature++) {
        const bin = at(binOf, feature);
        for (let row = from; row < to; row++) {
          target[offset + row * width + feature - first] = bin(values[row * features + feature] ?? Number.NaN);
        }
      }
    }
  });
}

/** What gives the bin of a value of a column. */
function binFinder(column: Column): (value: number) => number {
  if (column.kind === 'number') {
    const { edges } = column;
    return (value) => numberBin(edges, value);
  }
  const bins = new Map(Array.from(column.categories, (category, bin) => [category, bin]));
  return (value) => bins.get(value) ?? MISSING_BIN;
}
