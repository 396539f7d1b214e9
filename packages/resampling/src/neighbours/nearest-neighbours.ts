import type { Values } from '../arrays.js';
import { checkChoice, checkInteger, checkPoints } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { allRows } from '../labelled-rows.js';
import { distanceKernel } from './distance-kernel.js';
import { growTree, TreeSearch } from './k-d-tree.js';
import { fitsKernel, searchByKernel } from './kernel-search.js';
import { NearestLists } from './row-blocks.js';
import { searchAll } from './search-all.js';

/** How neighbours are searched. The results are the same. */
export type SearchMethod = 'auto' | 'k-d tree' | 'brute force';

/** From here on the boxes of a tree hold back too little for what measuring them costs. */
const MOST_TREE_COLUMNS = 40;

/** With fewer rows a tree is not worth growing. */
const FEWEST_TREE_ROWS = 200;

/** With fewer rows than this for each column, boxes are wide and the kernel is faster. */
const FEWEST_ROWS_PER_COLUMN = 100;

/** The kernel compares so many rows in the time in which a tree comes to one. */
const KERNEL_GAIN = 24;

/** Queries by which we see how many rows a tree holds back. */
const SAMPLE_QUERIES = 64;

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
  const kernel = fitsKernel(columns) ? distanceKernel() : null;
  const tree = chooseTree(features, columns, among, of, k, method, kernel !== null);
  if (tree !== null) searchTree(features, columns, tree, of, nearest);
  else if (kernel !== null && of !== among && isMostOf(of, among)) {
    const all = new NearestLists(among.length, k);
    searchByKernel(kernel, features, columns, among, among, all);
    pickLists(all, among, of, nearest);
  } else if (kernel !== null) searchByKernel(kernel, features, columns, among, of, nearest);
  else searchAll(features, columns, among, of, nearest);
  return nearest;
}

/** Whether queries are so many of the rows that looking at each pair of rows once is less work than comparing the queries with all rows. */
function isMostOf(of: Int32Array, among: Int32Array): boolean {
  if (of.length < 0.6 * among.length) return false;
  const rows = new Set(among);
  return of.every((row) => rows.has(row));
}

/** Copies the lists of some of the rows. */
function pickLists(all: NearestLists, among: Int32Array, of: Int32Array, into: NearestLists): void {
  const { k } = all;
  const places = new Map(Array.from(among, (row, place) => [row, place]));
  of.forEach((row, list) => {
    const place = places.get(row) ?? outside(among, row);
    into.ids.set(all.ids.subarray(place * k, (place + 1) * k), list * k);
    into.distances.set(all.distances.subarray(place * k, (place + 1) * k), list * k);
  });
}

/** A tree, if the search by it is chosen or promises to be faster. */
function chooseTree(
  features: Float64Array,
  columns: number,
  among: Int32Array,
  of: Int32Array,
  k: number,
  method: SearchMethod,
  hasKernel: boolean,
): TreeSearch | null {
  if (method === 'brute force') return null;
  if (method === 'k-d tree') return new TreeSearch(growTree(features, columns, among));
  if (columns > MOST_TREE_COLUMNS || among.length < FEWEST_TREE_ROWS) return null;
  if (hasKernel && among.length < FEWEST_ROWS_PER_COLUMN * columns) return null;
  const tree = new TreeSearch(growTree(features, columns, among));
  if (!hasKernel) return tree;
  const step = Math.ceil(of.length / SAMPLE_QUERIES);
  const sample = of.filter((_, i) => i % step === 0);
  searchTree(features, columns, tree, sample, new NearestLists(sample.length, k));
  return tree.scannedRows * KERNEL_GAIN < sample.length * among.length ? tree : null;
}

function searchTree(
  features: Float64Array,
  columns: number,
  search: TreeSearch,
  of: Int32Array,
  nearest: NearestLists,
): void {
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

/** Options of {@link nearestNeighbours}. */
export interface NeighbourOptions {
  /** How many neighbours each row has. */
  readonly neighbours: number;
  /** The number of columns of the matrix. */
  readonly columns: number;
  /** A k-d tree suits few columns, brute force many; `'auto'` decides by a sample. The results are the same. */
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
