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
   * `4.3u·(‖x‖² + ‖y‖²)`, and adding up the products by at most `2.02(d + 3)u·(‖x‖² + ‖y‖²)`; together less than
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
  const blockBytes = 4 * KERNEL_ROWS * (padded + 2);
  const queryBytes = 4 * KERNEL_QUERIES * (padded + 2);
  const recordBytes = 4 * KERNEL_QUERIES;
  const available = Math.floor((KERNEL_PAGES * 65_536 - queryBytes) / (blockBytes + recordBytes));
  const blocks = Math.min(Math.max(1, Math.floor(PART_BYTES / blockBytes)), available);
  return { columns, padded, blockBytes, blocks, records: queryBytes, rows: queryBytes + blocks * recordBytes };
}

/**
 * Compares all rows with all queries through the kernel, and offers the rows that may be near to the lists of the queries, with their exact
 * distances. What the kernel leaves out is farther away than what a list has, whatever floats are rounded to:
 *
 *   ‖x − y‖² ≤ bound   ⟹   ‖x‖²·(1 − ε)/2 + ‖y‖²·(1 − ε)/2 − x·y ≤ bound/2
 *
 * If the queries are the rows, every pair is looked at once and offered to both.
 *
 * @param among - ascending
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
  const pairs = of === among;
  for (let first = 0; first < among.length; first += layout.blocks * KERNEL_ROWS) {
    const part = among.subarray(first, first + layout.blocks * KERNEL_ROWS);
    packRows(kernel, layout, scaling, features, part);
    if (pairs) for (let i = 0; i < part.length; i++) setBound(kernel, rowPlace(layout, i), scaling, nearest, first + i);
    for (let list = pairs ? first : 0; list < of.length; list += KERNEL_QUERIES) {
      packQueries(kernel, layout, scaling, features, of, list);
      const before = pairs ? list + 1 - first : part.length;
      const blocks = Math.ceil(Math.min(before, part.length) / KERNEL_ROWS);
      // As many rows at a time as have been seen: the farther a search is, the fewer rows are near enough.
      for (let from = 0; from < blocks; ) {
        const to = Math.min(blocks, from + Math.max(1, from + first / KERNEL_ROWS));
        let searching = pairs;
        for (let i = 0; i < KERNEL_QUERIES; i++) {
          if (setBound(kernel, i, scaling, nearest, list + i)) searching = true;
        }
        if (!searching) break;
        const begin = layout.rows + from * layout.blockBytes;
        const end = layout.rows + to * layout.blockBytes;
        const recordsEnd = kernel.near(0, begin, end, 4 * KERNEL_ROWS * layout.padded, layout.records);
        for (let place = layout.records / 4; place < recordsEnd / 4; place++) {
          const record = kernel.integers[place] ?? outside(kernel.integers, place);
          const query = list + ((record >> 8) & 3);
          const row = (from + (record >> 10)) * KERNEL_ROWS;
          for (let rows = record & 255; rows !== 0; rows &= rows - 1) {
            const other = first + row + 31 - Math.clz32(rows & -rows);
            if (!pairs) offerRow(features, columns, among, other, of, query, nearest);
            else if (other < query && offerPair(features, columns, among, other, query, nearest)) {
              setBound(kernel, rowPlace(layout, other - first), scaling, nearest, other);
            }
          }
        }
        from = to;
      }
      // What the queries have found bounds what they may be found by as rows.
      for (let i = list; pairs && i < Math.min(list + KERNEL_QUERIES, first + part.length); i++) {
        setBound(kernel, rowPlace(layout, i - first), scaling, nearest, i);
      }
    }
  }
}

/** Offers a row to the list of a query. */
function offerRow(
  features: Float64Array,
  columns: number,
  among: Int32Array,
  row: number,
  of: Int32Array,
  list: number,
  nearest: NearestLists,
): void {
  const query = of[list] ?? outside(of, list);
  const id = among[row] ?? outside(among, row);
  if (id === query) return;
  const bound = nearest.distances[list * nearest.k + nearest.k - 1] ?? 0;
  const distance = squaredDistance(features, query * columns, features, id * columns, columns, bound);
  if (distance <= bound) nearest.offer(list, id, distance);
}

/** Offers two rows to each other's lists, and returns whether the first one has taken the other. */
function offerPair(
  features: Float64Array,
  columns: number,
  among: Int32Array,
  a: number,
  b: number,
  nearest: NearestLists,
): boolean {
  const { distances, k } = nearest;
  const [idA, idB] = [among[a] ?? outside(among, a), among[b] ?? outside(among, b)];
  const boundA = distances[a * k + k - 1] ?? 0;
  const boundB = distances[b * k + k - 1] ?? 0;
  const bound = Math.max(boundA, boundB);
  const distance = squaredDistance(features, idA * columns, features, idB * columns, columns, bound);
  if (distance <= boundB) nearest.offer(b, idA, distance);
  if (distance > boundA) return false;
  nearest.offer(a, idB, distance);
  return true;
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
  layout: Layout,
  { centre, scale, error }: Scaling,
  features: Float64Array,
  part: Int32Array,
): void {
  const { columns, blockBytes, rows: base } = layout;
  const blocks = Math.ceil(part.length / KERNEL_ROWS);
  floats.fill(0, base / 4, (base + blocks * blockBytes) / 4);
  for (let i = 0; i < blocks * KERNEL_ROWS; i++) {
    const place = rowPlace(layout, i);
    const row = part[i];
    floats[place] = Number.NEGATIVE_INFINITY;
    if (row === undefined) {
      // Not a number is never at most a bound.
      floats[place + KERNEL_ROWS] = Number.NaN;
      continue;
    }
    let norm = 0;
    for (let column = 0; column < columns; column++) {
      const value = Math.fround(((features[row * columns + column] ?? 0) - (centre[column] ?? 0)) * scale);
      floats[place + (column + 2) * KERNEL_ROWS] = -value;
      norm += value * value;
    }
    floats[place + KERNEL_ROWS] = (norm * (1 - error)) / 2;
  }
}

function packQueries(
  { floats }: DistanceKernel,
  { columns, records }: Layout,
  { centre, scale, error }: Scaling,
  features: Float64Array,
  of: Int32Array,
  list: number,
): void {
  floats.fill(0, 0, records / 4);
  for (let query = 0; query < KERNEL_QUERIES; query++) {
    const row = of[list + query];
    if (row === undefined) {
      floats[KERNEL_QUERIES + query] = Number.NaN;
      continue;
    }
    let norm = 0;
    for (let column = 0; column < columns; column++) {
      const value = Math.fround(((features[row * columns + column] ?? 0) - (centre[column] ?? 0)) * scale);
      floats[(column + 2) * KERNEL_QUERIES + query] = value;
      norm += value * value;
    }
    floats[KERNEL_QUERIES + query] = (norm * (1 - error)) / 2;
  }
}

/** Where the bound of a row is. */
function rowPlace({ rows, blockBytes }: Layout, i: number): number {
  return (rows + Math.floor(i / KERNEL_ROWS) * blockBytes) / 4 + (i % KERNEL_ROWS);
}

/** Writes the bound of a list, and returns whether there is anything left to find for it. */
function setBound(
  { floats }: DistanceKernel,
  place: number,
  { scale }: Scaling,
  { distances, k }: NearestLists,
  list: number,
): boolean {
  const bound = distances[list * k + k - 1] ?? 0;
  const scaled = (bound * scale * scale) / 2;
  // Row numbers ascend: a list of rows that are equal to the query is full. So is the one behind the last, which is not there.
  floats[place] = bound === 0 ? Number.NEGATIVE_INFINITY : scaled * (1 + 2 ** -20) + UNDERFLOW;
  return bound > 0;
}
