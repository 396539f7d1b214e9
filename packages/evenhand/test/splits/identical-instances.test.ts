import { seededRandom } from '@evenhand/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstIdentical } from '../../src/splits/identical-instances.js';
import { categorical, images, numeric, table } from './datasets.js';

/** The first equal row, found by comparing every row with all before it. */
function firstEqual<Row>(rows: readonly Row[], equal: (one: Row, other: Row) => boolean): number[] {
  return rows.map((row) => rows.findIndex((candidate) => equal(candidate, row)));
}

describe('identical instances', () => {
  it('of a table are those with the same values, missing ones among them', () => {
    const value = fc.constantFrom(0, -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY);
    const rows = fc.array(fc.tuple(value, fc.integer({ min: -1, max: 1 })), { maxLength: 40 });
    fc.assert(
      fc.property(rows, (drawn) => {
        const columns = [
          numeric(
            'x',
            drawn.map(([x]) => x),
          ),
          categorical(
            'y',
            ['no', 'yes'],
            drawn.map(([, y]) => y),
          ),
        ];
        const dataset = table(new Array<number>(drawn.length).fill(0), { columns });
        const same = (a: number, b: number) => a === b || (Number.isNaN(a) && Number.isNaN(b));
        const expected = firstEqual(drawn, (one, other) => same(one[0], other[0]) && one[1] === other[1]);
        expect(Array.from(firstIdentical(dataset))).toEqual(expected);
      }),
    );
  });

  it('of a table do not depend on columns that are left out', () => {
    const dataset = table([0, 1], { columns: [numeric('x', [4, 4])], leftOut: [numeric('id', [1, 2])] });
    expect(Array.from(firstIdentical(dataset))).toEqual([0, 0]);
  });

  it('of a data set of images are those with the same pixels', () => {
    const pixels = fc.array(fc.tuple(fc.nat(1), fc.nat(255), fc.nat(1)), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(pixels, (drawn) => {
        const dataset = images(new Array<number>(drawn.length).fill(0), drawn);
        const expected = firstEqual(drawn, (one, other) => one.every((pixel, i) => pixel === other[i]));
        expect(Array.from(firstIdentical(dataset))).toEqual(expected);
      }),
    );
  });

  it('are not those that only have the same hash', () => {
    // Among 300,000 rows some ten pairs have the same 32 bits.
    const rows = 300_000;
    const random = seededRandom(1, 'rows');
    const draw = () => numeric('x', Float64Array.from({ length: rows }, random));
    const dataset = table([], { labels: new Int32Array(rows), columns: [draw(), draw()] });
    expect(firstIdentical(dataset).every((first, instance) => first === instance)).toBe(true);
  });
});
