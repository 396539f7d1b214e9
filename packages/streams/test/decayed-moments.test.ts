import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecayedMoments } from '../src/index.js';

const value = fc.float({ min: -1000, max: 1000, noNaN: true });

/** By the definition: every value with the weight (1 − 1/memory)^age, age counted in the column's own values. */
function weighted(values: readonly number[], memory: number): { mean: number; deviation: number } {
  const weights = values.map((_, i) => (1 - 1 / memory) ** (values.length - 1 - i));
  const total = weights.reduce((a, b) => a + b, 0);
  const mean = values.reduce((sum, x, i) => sum + x * (weights[i] ?? 0), 0) / total;
  const variance = values.reduce((sum, x, i) => sum + (x - mean) ** 2 * (weights[i] ?? 0), 0) / total;
  return { mean, deviation: Math.sqrt(variance) };
}

describe('DecayedMoments', () => {
  it('are the moments of values whose weights decay', () => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 60 }),
        fc.double({ min: 1.5, max: 100, noNaN: true }),
        (values, memory) => {
          const moments = new DecayedMoments(1, memory);
          moments.add(Float32Array.from(values));
          const expected = weighted(values, memory);
          expect(moments.mean(0)).toBeCloseTo(expected.mean, 6);
          expect(moments.deviation(0)).toBeCloseTo(expected.deviation, 4);
        },
      ),
    );
  });

  it('do not depend on how rows are grouped, and go on from JSON to the same bits', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 40 }), fc.nat(), (rows, cut) => {
        const flat = Float32Array.from(rows.flat());
        const at = 2 * (cut % (rows.length + 1));
        const whole = new DecayedMoments(2, 10);
        whole.add(flat);
        const first = new DecayedMoments(2, 10);
        first.add(flat.subarray(0, at));
        const resumed = DecayedMoments.fromJSON(JSON.parse(JSON.stringify(first)));
        resumed.add(flat.subarray(at));
        expect(resumed.toJSON()).toEqual(whole.toJSON());
      }),
    );
  });

  it('leave a column as it was where its value is missing, and standardise it as 0', () => {
    const moments = new DecayedMoments(2, 100);
    moments.add(Float32Array.of(1, 5, 3, Number.NaN, Number.POSITIVE_INFINITY, 7));
    const alone = new DecayedMoments(1, 100);
    alone.add(Float32Array.of(1, 3));
    expect(moments.mean(0)).toBe(alone.mean(0));
    expect(moments.deviation(0)).toBe(alone.deviation(0));
    expect([...moments.standardise(Float32Array.of(Number.NaN, 6))][0]).toBe(0);
  });

  it('standardise to values between −3 and 3 in the order of the originals, and what never changes to 0', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 2, maxLength: 40 }), value, value, (values, a, b) => {
        const moments = new DecayedMoments(1, 20);
        moments.add(Float32Array.from(values));
        const [x = Number.NaN, y = Number.NaN] = moments.standardise(Float32Array.of(a, b));
        expect(Math.abs(x)).toBeLessThanOrEqual(3);
        if (moments.deviation(0) === 0) expect([x, y]).toEqual([0, 0]);
        else expect(Math.sign(x - y) * Math.sign(a - b)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('refuse a wrong number of values, columns and memory', () => {
    expect(() => new DecayedMoments(2, 10).add(Float32Array.of(1, 2, 3))).toThrow('3 numbers are not rows of 2');
    expect(() => new DecayedMoments(0, 10)).toThrow('columns is 0; expected a positive integer');
    expect(() => new DecayedMoments(2, 0.5)).toThrow('memory is 0.5; expected a number from 1');
  });
});
