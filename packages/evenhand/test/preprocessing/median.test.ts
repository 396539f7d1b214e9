import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median } from '../../src/preprocessing/median.js';

/** By its definition, from a sorted copy. */
function middle(values: Float64Array): number {
  const sorted = values.slice().sort();
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0];
  return lower + (upper - lower) / 2;
}

describe('median', () => {
  it('is the middle of an odd number of values, between the two middle ones of an even number, 0 of none', () => {
    expect(median(Float64Array.of(9, 1, 5))).toBe(5);
    expect(median(Float64Array.of(9, 1, 5, 6))).toBe(5.5);
    expect(median(new Float64Array())).toBe(0);
  });

  it('is what sorting finds, with few or many equal values', () => {
    const values = fc.oneof(
      fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 60 }),
    );
    fc.assert(
      fc.property(values, (some) => {
        const given = Float64Array.from(some);
        expect(median(given.slice())).toBeCloseTo(middle(given), 6);
      }),
      { numRuns: 500 },
    );
  });

  it('is found among a million values in order, in reverse or all equal', () => {
    const million = Float64Array.from({ length: 1e6 }, (_, i) => i);
    expect(median(million.slice())).toBe(499_999.5);
    expect(median(million.slice().reverse())).toBe(499_999.5);
    expect(median(million.fill(7))).toBe(7);
  });
});
