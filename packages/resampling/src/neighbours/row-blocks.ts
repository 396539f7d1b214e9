import { outside } from '../checked-access.js';

/** How many rows lie side by side. */
export const BLOCK = 4;

/** How many columns are summed up before we look whether the rows of a block are too far away already. */
const STRIDE = 4;

/**
 * Rows of a matrix, rearranged so that a loop over columns serves four rows: the first column of rows 0 to 3, their second column, and
 * so on. Four sums at a time keep the processor busy, where the additions of one would wait for each other.
 */
export interface RowBlocks {
  readonly values: Float64Array;
  /** The row's number in the matrix; −1 where the last block is filled up with rows infinitely far away. */
  readonly ids: Int32Array;
  readonly columns: number;
}

/** Copies rows; `groups` begin blocks of their own and lie one after the other in `rows`. */
export function blockRows(
  features: Float64Array,
  columns: number,
  rows: Int32Array,
  groups: readonly { readonly from: number; readonly to: number }[],
): { blocks: RowBlocks; starts: Int32Array } {
  const starts = new Int32Array(groups.length + 1);
  for (const [group, { from, to }] of groups.entries()) {
    starts[group + 1] = (starts[group] ?? 0) + Math.ceil((to - from) / BLOCK);
  }
  const count = starts[groups.length] ?? 0;
  const values = new Float64Array(count * BLOCK * columns).fill(Number.POSITIVE_INFINITY);
  const ids = new Int32Array(count * BLOCK).fill(-1);
  for (const [group, { from, to }] of groups.entries()) {
    for (let i = from; i < to; i++) {
      const place = (starts[group] ?? 0) * BLOCK + i - from;
      const id = rows[i] ?? outside(rows, i);
      ids[place] = id;
      const start = Math.floor(place / BLOCK) * BLOCK * columns + (place % BLOCK);
      for (let column = 0; column < columns; column++) {
        values[start + column * BLOCK] = features[id * columns + column] ?? outside(features, id * columns + column);
      }
    }
  }
  return { blocks: { values, ids, columns }, starts };
}

/**
 * The k nearest rows that some queries have found so far: k ids and squared distances for each, nearest first, of equally near ones the
 * one with the smaller id first.
 */
export class NearestLists {
  readonly ids: Int32Array;
  readonly distances: Float64Array;

  constructor(
    queries: number,
    readonly k: number,
  ) {
    this.ids = new Int32Array(queries * k).fill(-1);
    this.distances = new Float64Array(queries * k).fill(Number.POSITIVE_INFINITY);
  }

  /** Takes a row into a list if it belongs there. */
  offer(list: number, id: number, distance: number): void {
    const { ids, distances, k } = this;
    const first = list * k;
    let place = first + k - 1;
    const worst = distances[place] ?? 0;
    if (distance > worst || (distance === worst && id > (ids[place] ?? 0))) return;
    while (place > first) {
      const before = distances[place - 1] ?? 0;
      if (before < distance || (before === distance && (ids[place - 1] ?? 0) < id)) break;
      distances[place] = before;
      ids[place] = ids[place - 1] ?? 0;
      place--;
    }
    distances[place] = distance;
    ids[place] = id;
  }
}

/**
 * Offers the rows of some blocks to the list of a query. Squared distances are summed in the order of the columns, wherever a row lies,
 * so that they are the same bit for bit for every way of searching.
 *
 * @param exclude - the id of a row that is not its own neighbour; −1 for none
 * @param floor - no row of these blocks is nearer than this; their ids ascend
 * @returns the number of blocks that it had to look at
 */
export function scanBlocks(
  blocks: RowBlocks,
  from: number,
  to: number,
  query: Float64Array,
  nearest: NearestLists,
  list: number,
  exclude: number,
  floor: number,
): number {
  const { values, ids, columns } = blocks;
  const last = list * nearest.k + nearest.k - 1;
  let bound = nearest.distances[last] ?? 0;
  for (let block = from; block < to; block++) {
    // Where many rows are equal, the first ones are neighbours, and the others need not be measured.
    if (bound <= floor && (ids[block * BLOCK] ?? 0) > (nearest.ids[last] ?? 0)) return block - from;
    let place = block * BLOCK * columns;
    let d0 = 0;
    let d1 = 0;
    let d2 = 0;
    let d3 = 0;
    for (let column = 0; column < columns; ) {
      const stop = Math.min(column + STRIDE, columns);
      for (; column < stop; column++, place += BLOCK) {
        const x = query[column] ?? 0;
        const e0 = x - (values[place] ?? 0);
        const e1 = x - (values[place + 1] ?? 0);
        const e2 = x - (values[place + 2] ?? 0);
        const e3 = x - (values[place + 3] ?? 0);
        d0 += e0 * e0;
        d1 += e1 * e1;
        d2 += e2 * e2;
        d3 += e3 * e3;
      }
      if (d0 > bound && d1 > bound && d2 > bound && d3 > bound) break;
    }
    if (d0 > bound && d1 > bound && d2 > bound && d3 > bound) continue;
    for (let lane = 0; lane < BLOCK; lane++) {
      const id = ids[block * BLOCK + lane] ?? -1;
      const distance = lane === 0 ? d0 : lane === 1 ? d1 : lane === 2 ? d2 : d3;
      if (id >= 0 && id !== exclude && distance <= bound) nearest.offer(list, id, distance);
    }
    bound = nearest.distances[last] ?? 0;
  }
  return to - from;
}
