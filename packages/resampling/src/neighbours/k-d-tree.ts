import { outside } from '../checked-access.js';
import { BLOCK, blockRows, type NearestLists, type RowBlocks, scanBlocks } from './row-blocks.js';

/** Rows in a leaf: fewer are more boxes to measure, more are more rows. */
const LEAF_ROWS = 48;

/**
 * A k-d tree: the rows are halved at the median of their most spread-out column until few are left. Every node knows the smallest box
 * that holds its rows; a query skips the boxes that are farther away than what it has found.
 */
export interface KDTree {
  readonly columns: number;
  /** Smallest and largest value of every column, node after node. */
  readonly lows: Float64Array;
  readonly highs: Float64Array;
  /** Of a node's second half; its first half is the next node. 0 for a leaf. */
  readonly seconds: Int32Array;
  /** The smallest row number of a node. */
  readonly smallestIds: Int32Array;
  /** The leaf that a node is; its blocks are those from `starts[leaf]` to `starts[leaf + 1] − 1`. */
  readonly leaves: Int32Array;
  readonly starts: Int32Array;
  readonly blocks: RowBlocks;
  /** The rows in the order of the leaves: rows near each other in space are near each other here. */
  readonly order: Int32Array;
}

/** Grows a tree over some rows of a matrix. */
export function growTree(features: Float64Array, columns: number, rows: Int32Array): KDTree {
  const order = rows.slice();
  // Halving down to LEAF_ROWS leaves at least LEAF_ROWS / 2 rows in a leaf.
  const most = 4 * Math.ceil(rows.length / LEAF_ROWS) + 1;
  const lows = new Float64Array(most * columns);
  const highs = new Float64Array(most * columns);
  const seconds = new Int32Array(most);
  const smallestIds = new Int32Array(most);
  const leaves = new Int32Array(most).fill(-1);
  const groups: { from: number; to: number }[] = [];
  let nodes = 0;

  const grow = (from: number, to: number): void => {
    const node = nodes++;
    smallestIds[node] = measureBox(features, columns, order, from, to, lows, highs, node * columns);
    const column = widestColumn(lows, highs, node * columns, columns);
    if (to - from <= LEAF_ROWS || column < 0) {
      leaves[node] = groups.length;
      order.subarray(from, to).sort();
      groups.push({ from, to });
      return;
    }
    const middle = (from + to) >> 1;
    selectMiddle(features, columns, column, order, from, to - 1, middle);
    grow(from, middle);
    seconds[node] = nodes;
    grow(middle, to);
  };
  grow(0, order.length);
  const { blocks, starts } = blockRows(features, columns, order, groups);
  return { columns, lows, highs, seconds, smallestIds, leaves, starts, blocks, order };
}

/** Writes the box of some rows, and returns the smallest row number. */
function measureBox(
  features: Float64Array,
  columns: number,
  order: Int32Array,
  from: number,
  to: number,
  lows: Float64Array,
  highs: Float64Array,
  box: number,
): number {
  lows.fill(Number.POSITIVE_INFINITY, box, box + columns);
  highs.fill(Number.NEGATIVE_INFINITY, box, box + columns);
  let smallest = Number.MAX_SAFE_INTEGER;
  for (let i = from; i < to; i++) {
    const id = order[i] ?? outside(order, i);
    if (id < smallest) smallest = id;
    for (let column = 0; column < columns; column++) {
      const value = features[id * columns + column] ?? outside(features, id * columns + column);
      if (value < (lows[box + column] ?? 0)) lows[box + column] = value;
      if (value > (highs[box + column] ?? 0)) highs[box + column] = value;
    }
  }
  return smallest;
}

/** −1 if all rows are equal. */
function widestColumn(lows: Float64Array, highs: Float64Array, box: number, columns: number): number {
  let widest = -1;
  let width = 0;
  for (let column = 0; column < columns; column++) {
    const extent = (highs[box + column] ?? 0) - (lows[box + column] ?? 0);
    if (extent > width) [widest, width] = [column, extent];
  }
  return widest;
}

/** Hoare's selection: afterwards no row before `middle` has a larger value in the column than a row from there on. */
function selectMiddle(
  features: Float64Array,
  columns: number,
  column: number,
  order: Int32Array,
  first: number,
  last: number,
  middle: number,
): void {
  const valueAt = (i: number) => features[(order[i] ?? 0) * columns + column] ?? 0;
  let [from, to] = [first, last];
  while (from < to) {
    const pivot = valueAt((from + to) >> 1);
    let [left, right] = [from, to];
    while (left <= right) {
      while (valueAt(left) < pivot) left++;
      while (valueAt(right) > pivot) right--;
      if (left <= right) {
        const id = order[left] ?? 0;
        order[left++] = order[right] ?? 0;
        order[right--] = id;
      }
    }
    if (middle <= right) to = right;
    else if (middle >= left) from = left;
    else return;
  }
}

/**
 * A lower bound of the squared distance from a query to the rows of a node, or a number above `bound`. Rounding is monotonic, so that no
 * row of the node has a computed distance below it, and nothing is left out for rounding's sake.
 */
function boxDistance(tree: KDTree, node: number, query: Float64Array, bound: number): number {
  const { lows, highs, columns } = tree;
  const box = node * columns;
  let sum = 0;
  for (let column = 0; column < columns; column++) {
    const value = query[column] ?? 0;
    const gap = Math.max((lows[box + column] ?? 0) - value, value - (highs[box + column] ?? 0), 0);
    sum += gap * gap;
    if (sum > bound) return sum;
  }
  return sum;
}

/** Searches trees, with its memory allocated once. */
export class TreeSearch {
  readonly #nodes: Int32Array;
  readonly #distances: Float64Array;
  /** How many rows all searches together have come upon. */
  scannedRows = 0;

  constructor(readonly tree: KDTree) {
    // Each level leaves one node behind; halving makes at most 32 levels, plus one for the root.
    this.#nodes = new Int32Array(64);
    this.#distances = new Float64Array(64);
  }

  /** Offers the rows of the tree to the list of a query, nearest boxes first. */
  search(query: Float64Array, nearest: NearestLists, list: number, exclude: number): void {
    const { tree } = this;
    const { seconds, smallestIds, leaves, starts, blocks } = tree;
    const [nodes, distances] = [this.#nodes, this.#distances];
    const last = list * nearest.k + nearest.k - 1;
    let waiting = 1;
    nodes[0] = 0;
    distances[0] = 0;
    while (waiting > 0) {
      waiting--;
      const node = nodes[waiting] ?? 0;
      const distance = distances[waiting] ?? 0;
      const bound = nearest.distances[last] ?? 0;
      if (distance > bound || (distance === bound && (smallestIds[node] ?? 0) > (nearest.ids[last] ?? 0))) continue;
      const leaf = leaves[node] ?? -1;
      if (leaf >= 0) {
        const [from, to] = [starts[leaf] ?? 0, starts[leaf + 1] ?? 0];
        this.scannedRows += scanBlocks(blocks, from, to, query, nearest, list, exclude, distance) * BLOCK;
        continue;
      }
      const second = seconds[node] ?? 0;
      const toFirst = boxDistance(tree, node + 1, query, bound);
      const toSecond = boxDistance(tree, second, query, bound);
      const firstIsNearer = toFirst <= toSecond;
      nodes[waiting] = firstIsNearer ? second : node + 1;
      distances[waiting++] = firstIsNearer ? toSecond : toFirst;
      nodes[waiting] = firstIsNearer ? node + 1 : second;
      distances[waiting++] = firstIsNearer ? toFirst : toSecond;
    }
  }
}
