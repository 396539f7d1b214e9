import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePaired } from '../../src/evaluation/paired-comparison.js';

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
