import { outside } from '../checked-access.js';
import { COLUMN_STEP, type DistanceKernel, KERNEL_PAGES, KERNEL_QUERIES, KERNEL_ROWS } from './distance-kernel.js';
import type { NearestLists } from './row-blocks.js';
import { squaredDistance } from './squared-distance.js';

/** Bytes of rows that all queries go over while they are in the processor's cache. */
const PART_BYTES = 2 ** 18;

/** A value of each column is the middle one of so many. */
const MEDIAN_OF = 31;

/** Beside this, nothing that is lost below the smallest floats matters. */
const UNDERFLOW = 1e-36;

/** Where things are in the kernel's memory, and how many columns and rows it takes. */
interface Layout {
  readonly columns: number;
  /** Columns, filled up for the kernel. */
  readonly padded: number;
  readonly records: number;
  readonly rows: number;
  readonly blockBytes: number;
  /** Blocks of a part. */
  readonly blocks: number;
}

/** How the numbers of a matrix become floats: `(x − centre)·scale`, of which none is above 1. The scale is a power of two. */
interface Scaling {
  readonly centre: Float64Array;
  readonly scale: number;
  /**
   * With `u = 2⁻²⁴`, the rounding of one operation, and d columns: rounding x and y to floats changes ‖x − y‖² by at most
   * `4.3u·(‖x‖² + ‖y‖²)`, and adding up the products by at most `2.02(d + 2)u·(‖x‖² + ‖y‖²)`; together less than
   * `4(d + 4)u·(‖x‖² + ‖y‖²)`. This is the factor.
   */
  readonly error: number;
}

/** Whether rows of so many columns have place in the kernel's memory. */
export function fitsKernel(columns: number): boolean {
  return layOut(columns).blocks >= 1;
}

function layOut(columns: number): Layout {
  const padded = Math.ceil(columns / COLUMN_STEP) * COLUMN_STEP;
  const blockBytes = 4 * KERNEL_ROWS * (padded + 1);
  const queryBytes = 4 * KERNEL_QUERIES * (padded + 1);
  const recordBytes = 4 * KERNEL_QUERIES;
  const available = Math.floor((KERNEL_PAGES * 65_536 - queryBytes) / (blockBytes + recordBytes));
  const blocks = Math.min(Math.max(1, Math.floor(PART_BYTES / blockBytes)), available);
  return { columns, padded, blockBytes, blocks, records: queryBytes, rows: queryBytes + blocks * recordBytes };
}

/**
 * Compares all rows with all queries through the kernel, and offers the rows that may be near to the lists of the queries, with their exact
 * distances. What the kernel leaves out is farther away than what a list has, whatever floats are rounded to:
 *
 *   ‖x − y‖² ≤ bound   ⟹   ‖y‖²·(1 − ε)/2 − x·y ≤ (bound − ‖x‖²·(1 − ε))/2
 *
 * The left side is what the kernel computes, the right side a query's threshold.
 */
export function searchByKernel(
  kernel: DistanceKernel,
  features: Float64Array,
  columns: number,
  among: Int32Array,
  of: Int32Array,
  nearest: NearestLists,
): void {
  const layout = layOut(columns);
  const scaling = chooseScaling(features, layout, among, of);
  const norms = new Float64Array(KERNEL_QUERIES);
  for (let first = 0; first < among.length; first += layout.blocks * KERNEL_ROWS) {
    const part = among.subarray(first, first + layout.blocks * KERNEL_ROWS);
    packRows(kernel, layout, scaling, features, part);
    const blocks = Math.ceil(part.length / KERNEL_ROWS);
    for (let list = 0; list < of.length; list += KERNEL_QUERIES) {
      packQueries(kernel, layout, scaling, features, of, list, norms);
      // As many rows at a time as have been seen: the farther a search is, the fewer rows are near enough.
      for (let from = 0; from < blocks; ) {
        const to = Math.min(blocks, from + Math.max(2, from + first / KERNEL_ROWS));
        if (!setThresholds(kernel, scaling, nearest, list, norms)) break;
        const begin = layout.rows + from * layout.blockBytes;
        const end = layout.rows + to * layout.blockBytes;
        const recordsEnd = kernel.near(0, begin, end, layout.blockBytes - 4 * KERNEL_ROWS, layout.records);
        for (let place = layout.records / 4; place < recordsEnd / 4; place++) {
          const record = kernel.integers[place] ?? outside(kernel.integers, place);
          offerRows(features, columns, part, from, record, of, list, nearest);
        }
        from = to;
      }
    }
  }
}

/** Offers the rows of a record of the kernel to the list of its query. */
function offerRows(
  features: Float64Array,
  columns: number,
  part: Int32Array,
  firstBlock: number,
  record: number,
  of: Int32Array,
  firstList: number,
  nearest: NearestLists,
): void {
  const list = firstList + ((record >> 8) & 3);
  const query = of[list] ?? outside(of, list);
  const block = firstBlock + (record >> 10);
  for (let rows = record & 255; rows !== 0; rows &= rows - 1) {
    const id = part[block * KERNEL_ROWS + 31 - Math.clz32(rows & -rows)] ?? outside(part, block);
    if (id === query) continue;
    const bound = nearest.distances[list * nearest.k + nearest.k - 1] ?? 0;
    const distance = squaredDistance(features, query * columns, features, id * columns, columns, bound);
    if (distance <= bound) nearest.offer(list, id, distance);
  }
}

/** A centre in the midst of the rows, so that the floats have to be no larger than the distances. */
function chooseScaling(features: Float64Array, layout: Layout, among: Int32Array, of: Int32Array): Scaling {
  const { columns, padded } = layout;
  const step = Math.max(1, Math.floor(among.length / MEDIAN_OF));
  const sample = among.filter((_, i) => i % step === 0);
  const centre = new Float64Array(columns).map((_, column) => {
    const sorted = Float64Array.from(sample, (row) => features[row * columns + column] ?? 0).sort();
    return sorted[sorted.length >> 1] ?? 0;
  });
  let largest = 0;
  for (const rows of of === among ? [among] : [among, of]) {
    for (const row of rows) {
      for (let column = 0; column < columns; column++) {
        const size = Math.abs((features[row * columns + column] ?? 0) - (centre[column] ?? 0));
        if (size > largest) largest = size;
      }
    }
  }
  // The limit keeps what squares of tiny numbers lose, multiplied by the scale's square, far below UNDERFLOW.
  const scale = 2 ** -Math.max(-400, Math.ceil(Math.log2(largest)));
  return { centre, scale, error: 4 * (padded + 4) * 2 ** -24 };
}

function packRows(
  { floats }: DistanceKernel,
  { columns, blockBytes, rows: base }: Layout,
  { centre, scale, error }: Scaling,
  features: Float64Array,
  part: Int32Array,
): void {
  const blocks = Math.ceil(part.length / KERNEL_ROWS);
  floats.fill(0, base / 4, (base + blocks * blockBytes) / 4);
  for (let i = 0; i < blocks * KERNEL_ROWS; i++) {
    const place = (base + Math.floor(i / KERNEL_ROWS) * blockBytes) / 4 + (i % KERNEL_ROWS);
    const row = part[i];
    if (row === undefined) {
      // Not a number is never at most a threshold.
      floats[place] = Number.NaN;
      continue;
    }
    let norm = 0;
    for (let column = 0; column < columns; column++) {
      const value = Math.fround(((features[row * columns + column] ?? 0) - (centre[column] ?? 0)) * scale);
      floats[place + (column + 1) * KERNEL_ROWS] = -value;
      norm += value * value;
    }
    floats[place] = (norm * (1 - error)) / 2;
  }
}

function packQueries(
  { floats }: DistanceKernel,
  { columns, records }: Layout,
  { centre, scale }: Scaling,
  features: Float64Array,
  of: Int32Array,
  list: number,
  norms: Float64Array,
): void {
  floats.fill(0, 0, records / 4);
  for (let query = 0; query < KERNEL_QUERIES; query++) {
    const row = of[list + query];
    if (row === undefined) continue;
    let norm = 0;
    for (let column = 0; column < columns; column++) {
      const value = Math.fround(((features[row * columns + column] ?? 0) - (centre[column] ?? 0)) * scale);
      floats[(column + 1) * KERNEL_QUERIES + query] = value;
      norm += value * value;
    }
    norms[query] = norm;
  }
}

/** Returns whether there is anything left to find. */
function setThresholds(
  { floats }: DistanceKernel,
  { scale, error }: Scaling,
  { distances, k }: NearestLists,
  list: number,
  norms: Float64Array,
): boolean {
  let searching = false;
  for (let query = 0; query < KERNEL_QUERIES; query++) {
    const bound = distances[(list + query) * k + k - 1] ?? 0;
    const threshold = (bound * scale * scale * (1 + 1e-9) - (norms[query] ?? 0) * (1 - error)) / 2;
    // Row numbers ascend: a list of rows that are equal to the query is full, as is the one behind the last. Nothing is at most NaN.
    floats[query] = bound === 0 ? Number.NaN : threshold + Math.abs(threshold) * 2 ** -22 + UNDERFLOW;
    searching ||= bound > 0;
  }
  return searching;
}
