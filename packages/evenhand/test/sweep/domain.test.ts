import fc from 'fast-check';
import { expect, it } from 'vitest';
import { combination, positionOf, type Range, sizeOf, valueAt } from '../../src/sweep/domain.js';

const ranges: fc.Arbitrary<Range> = fc
  .record({
    from: fc.integer({ min: 1, max: 1000 }),
    width: fc.integer({ min: 1, max: 1000 }),
    scale: fc.constantFrom('linear' as const, 'log' as const),
    integer: fc.boolean(),
    unit: fc.constantFrom(1, 1e-4),
  })
  .map(({ from, width, scale, integer, unit }) => {
    const size = integer ? 1 : unit;
    return { from: from * size, to: (from + width) * size, scale, integer };
  });

const places = fc.double({ min: 0, max: 1, noNaN: true });

it('values lie inside their range, and integers are integers', () => {
  fc.assert(
    fc.property(ranges, places, (range, place) => {
      const value = valueAt(range, place);
      expect(value).toBeGreaterThanOrEqual(range.from);
      expect(value).toBeLessThanOrEqual(range.to);
      if (range.integer) expect(Number.isInteger(value)).toBe(true);
    }),
  );
});

it('a value has the place that it came from, to the digits that it is rounded to', () => {
  fc.assert(
    fc.property(ranges, places, (range, place) => {
      const value = valueAt(range, place);
      expect(valueAt(range, positionOf(range, value))).toBeCloseTo(value, 10);
    }),
  );
});

it('on a logarithmic scale the middle is the geometric mean', () => {
  expect(valueAt({ from: 1e-4, to: 1, scale: 'log', integer: false }, 0.5)).toBe(0.01);
  expect(valueAt({ from: 1e-4, to: 1, scale: 'log', integer: false }, 0.25)).toBe(0.001);
});

it('every integer has the same share of a linear range, the ends too', () => {
  const range: Range = { from: 3, to: 6, scale: 'linear', integer: true };
  const found = Array.from({ length: 400 }, (_, i) => valueAt(range, (i + 0.5) / 400));
  for (const value of [3, 4, 5, 6]) expect(found.filter((other) => other === value)).toHaveLength(100);
});

it('there are as many values as a list has, or a range of integers or of numbers with five digits', () => {
  expect(sizeOf(['a', 'b'])).toBe(2);
  expect(sizeOf({ from: 3, to: 6, scale: 'linear', integer: true })).toBe(4);
  const real = (from: number, to: number) => sizeOf({ from, to, scale: 'linear', integer: false });
  expect(real(0.9, 0.9001)).toBe(11);
  expect(real(-0.9001, -0.9)).toBe(11);
  expect(real(0.90000001, 0.90009)).toBe(9);
  expect(real(0.900001, 0.900002)).toBe(1);
  expect(real(9.9998, 10.001)).toBe(4); // and 9.9999, 10
  expect(real(0, 1)).toBe(Number.POSITIVE_INFINITY);
});

it('combinations are all different, the last list changing fastest', () => {
  const all = Array.from({ length: 6 }, (_, i) =>
    combination(
      [
        ['a', 'b'],
        [1, 2, 3],
      ],
      i,
    ).join(''),
  );
  expect(all).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);
});
