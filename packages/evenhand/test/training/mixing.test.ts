import { seededRandom } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import { risingBeta, symmetricBeta } from '../../src/methods/random-shares.js';
import { drawPartners, mixedInputs, mixedLabelRows, rowsOfClasses } from '../../src/training/mixing.js';

const POSITION = { seed: 1, epoch: 2, step: 3 };
/** Two networks: one learns from rows 0 to 5, the other from rows 6 to 11. */
const LABELS = Int32Array.of(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2);
const ROWS = [Int32Array.of(0, 1, 2, 3, 4, 5), Int32Array.of(6, 7, 8, 9, 10, 11)];
const BY_CLASS = ROWS.map((rows) => rowsOfClasses(rows, LABELS));
const BATCH = Int32Array.of(0, 1, 2, 5, 6, 7, 10, 11);

describe('partners', () => {
  it.each(['natural', 'balanced'] as const)(
    'of %s mixing are rows of the same network, the same ones again',
    (partners) => {
      const mixing = { partners, share: (random: () => number) => random() };
      for (let step = 0; step < 50; step++) {
        const drawn = drawPartners(BATCH, BY_CLASS, mixing, { ...POSITION, step });
        expect(drawPartners(BATCH, BY_CLASS, mixing, { ...POSITION, step })).toEqual(drawn);
        drawn.partners.forEach((row, i) => {
          expect(ROWS[i < 4 ? 0 : 1]).toContain(row);
        });
        // One share for a batch, another one for the other network.
        expect(new Set(drawn.shares).size).toBe(2);
        if (partners === 'natural') expect([...drawn.partners.slice(0, 4)].sort()).toEqual([0, 1, 2, 5]);
      }
    },
  );

  it('of balanced mixing are of every class equally often', () => {
    const counts = [0, 0, 0];
    for (let step = 0; step < 3000; step++) {
      const mixing = { partners: 'balanced' as const, share: () => 0.5 };
      const { partners } = drawPartners(BATCH, BY_CLASS, mixing, { ...POSITION, step });
      for (const row of partners.subarray(4)) {
        const label = LABELS[row] ?? 0;
        counts[label] = (counts[label] ?? 0) + 1;
      }
    }
    for (const count of counts) expect(count / 12_000).toBeCloseTo(1 / 3, 1);
  });
});

describe('mixtures', () => {
  it('are the weighted means of inputs and of label rows; what has no values in between is that of the larger share', () => {
    const batch = { batch: Int32Array.of(0, 5), partners: Int32Array.of(5, 0), shares: Float32Array.of(0.75, 0.25) };
    const own = Float32Array.of(0, 1, 8, 2);
    expect([...mixedInputs(own, Float32Array.of(4, 5, 0, 3), batch.shares, [1])]).toEqual([1, 1, 2, 3]);
    const generator = Float32Array.of(1.5, -0.5, 0, 1);
    expect([...mixedLabelRows(batch, LABELS, generator)]).toEqual([1.125, -0.125, 1.125, -0.125]);
  });

  it('of pixels are rounded', () => {
    const mixed = mixedInputs(Uint8Array.of(255, 10), Uint8Array.of(0, 11), Float32Array.of(0.5, 0.5), []);
    expect([...mixed]).toEqual([128, 11]);
  });
});

describe('shares', () => {
  const draws = (draw: (random: () => number) => number) => {
    const random = seededRandom(3, 'shares');
    return Array.from({ length: 10_000 }, () => draw(random)).sort((a, b) => a - b);
  };
  /** The largest distance between what was drawn and a distribution function; 1.95/√10,000 is exceeded once in a thousand times. */
  const distance = (values: readonly number[], cumulative: (x: number) => number) =>
    Math.max(
      ...values.map((x, i) =>
        Math.max(Math.abs(cumulative(x) - i / values.length), Math.abs(cumulative(x) - (i + 1) / values.length)),
      ),
    );

  it.each([0.2, 1, 3])('of Beta(%d, 1) have the distribution function x^α', (alpha) => {
    expect(
      distance(
        draws((random) => risingBeta(alpha, random)),
        (x) => x ** alpha,
      ),
    ).toBeLessThan(0.0195);
  });

  it('of Beta(½, ½), Beta(1, 1) and Beta(2, 2) have theirs', () => {
    for (const [alpha, cumulative] of [
      [0.5, (x: number) => (2 / Math.PI) * Math.asin(Math.sqrt(x))],
      [1, (x: number) => x],
      [2, (x: number) => 3 * x ** 2 - 2 * x ** 3],
    ] as const) {
      expect(
        distance(
          draws((random) => symmetricBeta(alpha, random)),
          cumulative,
        ),
      ).toBeLessThan(0.0195);
    }
  });
});
