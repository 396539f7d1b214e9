import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePaired } from '../../src/evaluation/paired-comparison.js';
import { tOfTwoSidedTail, twoSidedTailOfT } from '../../src/evaluation/student-t.js';

const pairs = fc.array(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
  {
    minLength: 2,
    maxLength: 8,
  },
);

describe('comparePaired', () => {
  it('changes only the sign of the mean when the methods change places', () => {
    fc.assert(
      fc.property(pairs, (results) => {
        const ours = results.map(([a]) => a);
        const theirs = results.map(([, b]) => b);
        const forth = comparePaired(ours, theirs);
        const back = comparePaired(theirs, ours);
        expect(back.meanDifference).toBeCloseTo(-forth.meanDifference, 14);
        expect(back.tTest).toEqual(forth.tTest);
        expect(back.signFlipTest).toEqual(forth.signFlipTest);
      }),
    );
  });

  it('cannot reach 5 % with five seeds by swapping, however clear the difference', () => {
    const comparison = comparePaired([0.91, 0.92, 0.93, 0.94, 0.95], [0.1, 0.1, 0.1, 0.1, 0.1]);
    expect(comparison.signFlipTest.value).toBe(2 / 32);
    expect(comparison.tTest.value).toBeLessThan(1e-6);
  });

  it('counts sums that differ by rounding alone as equal', () => {
    // 0.1 + 0.2 − 0.3 is 0 on paper. So the sum is 0.05 for both signs of that, and every other sum is farther from 0.
    expect(comparePaired([0.1, 0.2, 0, 0.05], [0, 0, 0.3, 0]).signFlipTest.value).toBe(1);
  });

  it('calls level what differs by rounding alone', () => {
    const [ours, theirs] = [
      [0.3, 0.5],
      [0.1, 0.7],
    ];
    expect(ours.reduce((sum, value, i) => sum + (value - (theirs[i] ?? 0)), 0)).not.toBe(0);
    expect(comparePaired(ours, theirs).meanDifference).toBe(0);
  });

  it('has no t-test where all differences are equal', () => {
    expect(comparePaired([0.5, 0.75, 1], [0.25, 0.5, 0.75])).toEqual({
      pairs: 3,
      meanDifference: 0.25,
      standardDeviation: { value: 0 },
      tTest: { value: null, reason: 'all differences are equal: there is no spread to compare with' },
      interval: null,
      signFlipTest: { value: 0.25 },
    });
  });

  it('has none either where they are equal but for rounding', () => {
    const percent = (right: number) => (100 * right) / 10_000;
    const theirs = [9702, 9723, 9715];
    const { tTest, standardDeviation } = comparePaired(
      theirs.map((right) => percent(right + 10)),
      theirs.map(percent),
    );
    expect(standardDeviation.value).toBe(0);
    expect(tTest.value).toBeNull();
  });

  it('has no spread of one pair', () => {
    const { standardDeviation, tTest } = comparePaired([0.5], [0.25]);
    expect(standardDeviation).toEqual({ value: null, reason: 'one pair has no spread' });
    expect(tTest).toEqual(standardDeviation);
  });

  it('of splits uses the corrected resampled t-test of Nadeau and Bengio', () => {
    // Differences 1, 2, 3, 4, 5 (mean 3, s² = 2.5); 80 % train and 20 % test: t = 3/√((1/5 + 1/4)·2.5) = 2.8284 with 4 degrees of
    // freedom. For ν = 4, p = 1 − w·(3 − w²)/2 with w = t/√(4 + t²) = √(2/3): p = 1 − (7/6)·√(2/3) = 0.0474.
    const comparison = comparePaired([1, 2, 3, 4, 5], [0, 0, 0, 0, 0], { testPerTraining: 0.25 });
    expect(comparison.tTest.value).toBeCloseTo(1 - (7 / 6) * Math.sqrt(2 / 3), 12);
    // t₀.₉₇₅(4) = 2.776445, times √1.125
    expect(comparison.interval?.low).toBeCloseTo(3 - 2.776445 * Math.sqrt(1.125), 5);
    expect(comparison.interval?.high).toBeCloseTo(3 + 2.776445 * Math.sqrt(1.125), 5);
    expect(comparison.signFlipTest).toEqual({
      value: null,
      reason: 'splits of the same data overlap; the sign-flip test takes pairs for independent',
    });
    // As if the splits were independent: t = 3/√(2.5/5) = 4.2426, w = √(9/11), p = 1 − √(9/11)·(12/11)
    expect(comparePaired([1, 2, 3, 4, 5], [0, 0, 0, 0, 0]).tTest.value).toBeCloseTo(
      1 - (12 / 11) * Math.sqrt(9 / 11),
      12,
    );
  });

  it('has an interval that touches 0 where p is 0.05', () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom(0, 0.25, 1), (results, testPerTraining) => {
        const comparison = comparePaired(
          results.map(([a]) => a),
          results.map(([, b]) => b),
          { testPerTraining },
        );
        const { tTest, interval } = comparison;
        if (tTest.value === null || interval === null) expect([tTest.value, interval]).toEqual([null, null]);
        else if (Math.abs(tTest.value - 0.05) > 1e-9)
          expect(interval.low > 0 || interval.high < 0).toBe(tTest.value < 0.05);
      }),
    );
  });

  it.each([
    [1, 12.7062],
    [2, 4.3027],
    [4, 2.7764],
    [9, 2.2622],
    [99, 1.9842],
  ])("knows the ends of 95 %% of Student's t with %i degrees of freedom", (freedom, t) => {
    expect(tOfTwoSidedTail(0.05, freedom)).toBeCloseTo(t, 4);
    expect(twoSidedTailOfT(tOfTwoSidedTail(0.05, freedom), freedom)).toBeCloseTo(0.05, 14);
  });

  it('leaves out the sign-flip test of more than 20 pairs', () => {
    const ours = Array.from({ length: 21 }, (_, i) => i % 3);
    expect(comparePaired(ours, Array<number>(21).fill(0)).signFlipTest).toEqual({
      value: null,
      reason: 'more than 20 pairs can be swapped in too many ways to try all',
    });
  });

  it('refuses results that are not in pairs', () => {
    expect(() => comparePaired([1, 2], [1])).toThrow(
      'ours has 2 results, theirs 1; expected as many of each, at least one',
    );
    expect(() => comparePaired([], [])).toThrow('ours has 0 results, theirs 0');
  });

  it('refuses a result that is no number', () => {
    expect(() => comparePaired([1, Number.NaN], [1, 2])).toThrow('pair 1 is NaN and 2; expected finite numbers');
  });
});
