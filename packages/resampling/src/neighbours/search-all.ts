import { outside } from '../checked-access.js';
import { BLOCK, blockRows, type NearestLists, scanBlocks } from './row-blocks.js';

/** Queries that go over a part of the rows while it is in the processor's cache. */
const TILE_QUERIES = 32;
const TILE_VALUES = 8192;

/** Compares all rows with all queries. */
export function searchAll(
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
