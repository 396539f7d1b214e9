import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestNeighbours } from '../src/index.js';
import { neighboursAmong } from '../src/neighbours/nearest-neighbours.js';
import { NearestLists } from '../src/neighbours/row-blocks.js';
import { searchAll } from '../src/neighbours/search-all.js';

/** By definition: all distances, sorted, of equal ones the smaller row first. */
function byDefinition(points: number[], columns: number, k: number): number[] {
  const count = points.length / columns;
  const squared = (a: number, b: number) => {
    let sum = 0;
    for (let c = 0; c < columns; c++) sum += ((points[a * columns + c] ?? 0) - (points[b * columns + c] ?? 0)) ** 2;
    return sum;
  };
  const rows = [...Array(count).keys()];
  return rows.flatMap((row) =>
    rows
      .filter((other) => other !== row)
      .sort((a, b) => squared(row, a) - squared(row, b) || a - b)
      .slice(0, k),
  );
}

const matrices = fc
  .record({ columns: fc.integer({ min: 1, max: 9 }), rows: fc.integer({ min: 2, max: 130 }), grid: fc.boolean() })
  .chain(({ columns, rows, grid }) =>
    fc.record({
      columns: fc.constant(columns),
      k: fc.integer({ min: 1, max: Math.min(7, rows - 1) }),
      points: fc.array(grid ? fc.integer({ min: 0, max: 3 }) : fc.double({ min: -1e6, max: 1e6, noNaN: true }), {
        minLength: rows * columns,
        maxLength: rows * columns,
      }),
    }),
  );

describe('nearest neighbours', () => {
  it.each(['k-d tree', 'brute force', 'auto'] as const)(
    'by %s are those of the definition, ties included',
    (method) => {
      fc.assert(
        fc.property(matrices, ({ columns, k, points }) => {
          const { rows } = nearestNeighbours(points, { columns, neighbours: k, method });
          expect([...rows]).toEqual(byDefinition(points, columns, k));
        }),
        { numRuns: 60 },
      );
    },
  );

  it('do not depend on the way of searching, bit for bit, in large data', () => {
    const columns = 12;
    let state = 1;
    const points = Float64Array.from({ length: 3000 * columns }, (_, i) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state >>> 8) / 2 ** 24 + (i % columns < 3 ? Math.floor(i / columns / 500) : 0);
    });
    const tree = nearestNeighbours(points, { columns, neighbours: 4, method: 'k-d tree' });
    const all = nearestNeighbours(points, { columns, neighbours: 4, method: 'brute force' });
    expect(tree).toEqual(all);
  });

  it.each([0.1, 0.9])('of a part of the rows, %d, are those that a search without the kernel finds', (part) => {
    const [count, columns, k] = [500, 7, 3];
    let state = 3;
    const draw = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const features = Float64Array.from({ length: count * columns }, draw);
    const among = Int32Array.from({ length: count }, (_, row) => row);
    const of = among.filter(() => draw() < part).reverse();
    const expected = new NearestLists(of.length, k);
    searchAll(features, columns, among, of, expected);
    expect(neighboursAmong({ features, columns }, among, of, k)).toEqual(expected);
  });

  it('of equal rows are the first ones, without looking at all pairs', () => {
    const { rows, distances } = nearestNeighbours(new Float32Array(2 * 20_000).fill(7), { columns: 2, neighbours: 2 });
    expect([...rows.slice(0, 8)]).toEqual([1, 2, 0, 2, 0, 1, 0, 1]);
    expect(distances.every((distance) => distance === 0)).toBe(true);
  });

  it.each([
    [
      () => nearestNeighbours([1, 2, 3], { columns: 2, neighbours: 1 }),
      'points has length 3; expected a multiple of 2 columns',
    ],
    [() => nearestNeighbours([1, 2], { columns: 1, neighbours: 2 }), 'neighbours is 2; expected fewer than the 2 rows'],
    [() => nearestNeighbours([1, Number.NaN], { columns: 1, neighbours: 1 }), 'points[1] (row 1, column 0) is NaN'],
    [() => nearestNeighbours([], { columns: 1, neighbours: 1 }), 'points'],
  ])('refuses %#', (call, message) => {
    expect(call).toThrow(message);
  });
});
