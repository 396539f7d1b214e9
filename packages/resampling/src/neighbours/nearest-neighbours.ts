import type { Values } from '../arrays.js';
import { checkChoice, checkInteger, checkPoints } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { allRows } from '../labelled-rows.js';
import { growTree, TreeSearch } from './k-d-tree.js';
import { BLOCK, blockRows, NearestLists, scanBlocks } from './row-blocks.js';

/** How neighbours are searched. The results are the same. */
export type SearchMethod = 'auto' | 'k-d tree' | 'brute force';

/** From here on the boxes of a tree hold back too little for what measuring them costs. */
const MOST_TREE_COLUMNS = 40;

/** With fewer rows a tree is not worth growing. */
const FEWEST_TREE_ROWS = 200;

/** Queries that go over a part of the rows while it is in the processor's cache. */
const TILE_QUERIES = 32;
const TILE_VALUES = 8192;

/** The nearest rows of each query, nearest first: `k` row numbers and squared distances for each. */
export interface Neighbours {
  readonly ids: Int32Array;
  readonly distances: Float64Array;
  readonly k: number;
}

/**
 * The k nearest of the rows `among` for each of the rows `of`, itself excluded, by Euclidean distance. Of equally near rows the ones
 * with the smaller numbers are taken.
 *
 * scikit-learn leaves open which of equally near rows it takes: its trees take the ones they come upon first, its brute force depends on
 * how distances by matrix product are rounded, and imbalanced-learn drops the nearest row, believing that this is the row itself, which
 * it need not be where rows are equal.
 *
 * @param among - ascending
 */
export function neighboursAmong(
  { features, columns }: { readonly features: Float64Array; readonly columns: number },
  among: Int32Array,
  of: Int32Array,
  k: number,
  method: SearchMethod = 'auto',
): Neighbours {
  const nearest = new NearestLists(of.length, k);
  if (k === 0) return nearest;
  const useTree =
    method === 'auto' ? columns <= MOST_TREE_COLUMNS && among.length >= FEWEST_TREE_ROWS : method === 'k-d tree';
  if (useTree) searchTree(features, columns, among, of, nearest);
  else searchAll(features, columns, among, of, nearest);
  return nearest;
}

function searchTree(
  features: Float64Array,
  columns: number,
  among: Int32Array,
  of: Int32Array,
  nearest: NearestLists,
): void {
  const search = new TreeSearch(growTree(features, columns, among));
  const query = new Float64Array(columns);
  for (const list of spatialOrder(search.tree.order, of)) {
    const id = of[list] ?? outside(of, list);
    query.set(features.subarray(id * columns, (id + 1) * columns));
    search.search(query, nearest, list, id);
  }
}

/** Queries that are rows of the tree in the tree's order, so that one finds in the cache what the one before has looked at. */
function spatialOrder(order: Int32Array, of: Int32Array): Int32Array {
  const largest = of.reduce((most, id) => Math.max(most, id), 0);
  const listOf = new Int32Array(largest + 1).fill(-1);
  of.forEach((id, list) => {
    listOf[id] = list;
  });
  const lists = new Int32Array(of.length);
  let found = 0;
  for (const id of order) {
    const list = listOf[id] ?? -1;
    if (list < 0) continue;
    lists[found++] = list;
    listOf[id] = -1;
  }
  // The rest: queries that are no rows of the tree, and the first of those that ask twice.
  const taken = new Uint8Array(of.length);
  for (let i = 0; i < found; i++) taken[lists[i] ?? 0] = 1;
  for (let list = 0; list < of.length; list++) if (taken[list] === 0) lists[found++] = list;
  return lists;
}

function searchAll(
  features: Float64Array,
  columns: number,
  among: Int32Array,
  of: Int32Array,
  nearest: NearestLists,
): void {
  const { blocks, starts } = blockRows(features, columns, among, [{ from: 0, to: among.length }]);
  const count = starts[1] ?? 0;
  const step = Math.max(1, Math.floor(TILE_VALUES / (BLOCK * columns)));
  const queries = Array.from({ length: TILE_QUERIES }, () => new Float64Array(columns));
  for (let first = 0; first < of.length; first += TILE_QUERIES) {
    const end = Math.min(of.length, first + TILE_QUERIES);
    for (let list = first; list < end; list++) {
      const id = of[list] ?? outside(of, list);
      queries[list - first]?.set(features.subarray(id * columns, (id + 1) * columns));
    }
    for (let block = 0; block < count; block += step) {
      const stop = Math.min(count, block + step);
      for (let list = first; list < end; list++) {
        const query = queries[list - first] ?? outside(queries, list - first);
        scanBlocks(blocks, block, stop, query, nearest, list, of[list] ?? -1, 0);
      }
    }
  }
}

/** Options of {@link nearestNeighbours}. */
export interface NeighbourOptions {
  /** How many neighbours each row has. */
  readonly neighbours: number;
  /** The number of columns of the matrix. */
  readonly columns: number;
  /** A k-d tree suits few columns, brute force many; `'auto'` decides. The results are the same. */
  readonly method?: SearchMethod;
}

/**
 * The exact nearest neighbours of every row of a matrix, by Euclidean distance; a row is not its own neighbour, and of equally near rows
 * those with smaller numbers are taken.
 *
 * @returns for each row the numbers of its neighbours, nearest first, and their distances
 */
export function nearestNeighbours(
  points: Values,
  { neighbours, columns, method = 'auto' }: NeighbourOptions,
): { readonly rows: Int32Array; readonly distances: Float64Array } {
  const operation = 'nearestNeighbours';
  const features = checkPoints(points, columns, operation);
  checkInteger(neighbours, 1, 'neighbours', operation);
  checkChoice(method, ['auto', 'k-d tree', 'brute force'], 'method', operation);
  const count = features.length / columns;
  if (neighbours >= count) {
    throw new RangeError(`${operation}: neighbours is ${neighbours}; expected fewer than the ${count} rows`);
  }
  const rows = allRows(count);
  const { ids, distances } = neighboursAmong({ features, columns }, rows, rows, neighbours, method);
  return { rows: ids, distances: distances.map(Math.sqrt) };
}
