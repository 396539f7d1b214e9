import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balancedLogLoss } from '../../src/training/validation.js';

const EVEN = Float32Array.of(0, 0);

/** Rows of two classes, each with the same probability of its own class. */
function lossOf(rows: readonly [count: number, own: number][], logPrior = EVEN): number {
  const labels = Int32Array.from(rows.flatMap(([count], p) => Array.from({ length: count }, () => p)));
  const probabilities = Float32Array.from(
    rows.flatMap(([count, own], p) =>
      Array.from({ length: count }, () => (p === 0 ? [own, 1 - own] : [1 - own, own])).flat(),
    ),
  );
  return balancedLogLoss(labels, probabilities, 2, logPrior);
}

describe('the loss by which epochs and mixtures are chosen', () => {
  it('is the mean −log p of a class, if there is one', () => {
    expect(lossOf([[40, 0.25]])).toBeCloseTo(Math.log(4), 6);
  });

  it('counts a class of 10 rows half, one of 90 rows nine tenths', () => {
    const expected = (0.9 * Math.log(2) + 0.5 * Math.log(8)) / (0.9 + 0.5);
    expect(
      lossOf([
        [90, 0.5],
        [10, 0.125],
      ]),
    ).toBeCloseTo(expected, 6);
  });

  it('counts classes of many rows alike, whatever their sizes', () => {
    expect(
      lossOf([
        [20_000, 0.5],
        [1000, 0.25],
      ]),
    ).toBeCloseTo((Math.log(2) + Math.log(4)) / 2, 2);
  });

  it('takes the class frequencies out of the probabilities', () => {
    const logPrior = Float32Array.of(Math.log(0.9), Math.log(0.1));
    expect(
      lossOf(
        [
          [50, 0.9],
          [50, 0.1],
        ],
        logPrior,
      ),
    ).toBeCloseTo(Math.log(2), 6);
  });

  it('is lower where any row is more certain of its class', () => {
    const own = fc.double({ min: 0.05, max: 0.9, noNaN: true });
    fc.assert(
      fc.property(own, own, fc.integer({ min: 1, max: 50 }), (a, b, n) => {
        expect(
          lossOf([
            [n, a + 0.05],
            [7, b],
          ]),
        ).toBeLessThan(
          lossOf([
            [n, a],
            [7, b],
          ]),
        );
      }),
      { numRuns: 50 },
    );
  });
});
