import fc from 'fast-check';
import { expect, it } from 'vitest';
import { distanceKernel } from '../src/neighbours/distance-kernel.js';
import { fitsKernel, searchByKernel } from '../src/neighbours/kernel-search.js';
import { NearestLists } from '../src/neighbours/row-blocks.js';
import { searchAll } from '../src/neighbours/search-all.js';

const cell = {
  'a few values, with many ties': fc.integer({ min: 0, max: 2 }),
  'ordinary numbers': fc.double({ min: -100, max: 100, noNaN: true }),
  'numbers far from zero': fc.double({ min: 1e9, max: 1e9 + 1, noNaN: true }),
  'the largest numbers': fc.double({ min: -1e150, max: 1e150, noNaN: true }),
  'the smallest numbers': fc.double({ min: -1e-150, max: 1e-150, noNaN: true }),
  'numbers of all magnitudes': fc
    .record({ digits: fc.double({ min: -10, max: 10, noNaN: true }), exponent: fc.integer({ min: -300, max: 149 }) })
    .map(({ digits, exponent }) => digits * 10 ** exponent),
};

/** A matrix, the rows to search in, ascending, and the rows to search for, which may be others. */
const searches = (value: fc.Arbitrary<number>) =>
  fc
    .record({ columns: fc.integer({ min: 1, max: 11 }), rows: fc.integer({ min: 1, max: 90 }) })
    .chain(({ columns, rows }) =>
      fc.record({
        columns: fc.constant(columns),
        features: fc
          .array(value, { minLength: rows * columns, maxLength: rows * columns })
          .map((values) => Float64Array.from(values)),
        among: fc.subarray([...Array(rows).keys()], { minLength: 1 }).map((list) => Int32Array.from(list)),
        of: fc.subarray([...Array(rows).keys()], { minLength: 1 }).map((list) => Int32Array.from(list)),
        k: fc.integer({ min: 1, max: 9 }),
      }),
    );

it.each(Object.entries(cell))('the kernel finds the same rows as a search without it, bit for bit: %s', (_, value) => {
  const kernel = distanceKernel();
  if (kernel === null) throw new Error('Node.js has SIMD');
  fc.assert(
    fc.property(searches(value), ({ features, columns, among, of, k }) => {
      const [byKernel, without] = [new NearestLists(of.length, k), new NearestLists(of.length, k)];
      searchByKernel(kernel, features, columns, among, of, byKernel);
      searchAll(features, columns, among, of, without);
      expect(byKernel).toEqual(without);
      const [pairs, each] = [new NearestLists(among.length, k), new NearestLists(among.length, k)];
      searchByKernel(kernel, features, columns, among, among, pairs);
      searchAll(features, columns, among, among, each);
      expect(pairs).toEqual(each);
    }),
    { numRuns: 150 },
  );
});

it('the kernel goes over more rows than it takes at a time', () => {
  const kernel = distanceKernel();
  if (kernel === null) throw new Error('Node.js has SIMD');
  const [rows, columns] = [700, 301];
  let state = 7;
  const features = Float64Array.from({ length: rows * columns }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  });
  const all = Int32Array.from({ length: rows }, (_, row) => row);
  const [byKernel, without] = [new NearestLists(rows, 3), new NearestLists(rows, 3)];
  searchByKernel(kernel, features, columns, all, all, byKernel);
  searchAll(features, columns, all, all, without);
  expect(byKernel).toEqual(without);
});

it('rows too long for the memory of the kernel are searched without it', () => {
  expect(fitsKernel(1000)).toBe(true);
  expect(fitsKernel(1_000_000)).toBe(false);
});
