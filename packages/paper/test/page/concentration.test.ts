import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withinGroupScatter } from '../../src/page/concentration.js';

describe('scatter within groups', () => {
  it('is the share of the squared distances that is left within groups', () => {
    // Groups {0, 2} and {10, 12}: means 1 and 11, within 4·1; mean of all 6, total 36 + 16 + 16 + 36 = 104.
    expect(withinGroupScatter(Float64Array.of(0, 2, 10, 12), Int32Array.of(0, 0, 1, 1))).toBeCloseTo(4 / 104, 12);
  });

  it('counts every dimension', () => {
    // Group 5: (0,0), (0,2), within 1 + 1; group 7: (4,1), within 0. Mean of all (4/3, 1), total 2·(16/9 + 1) + 64/9.
    const data = Float64Array.of(0, 0, 0, 2, 4, 1);
    expect(withinGroupScatter(data, Int32Array.of(5, 5, 7))).toBeCloseTo(2 / (2 * (16 / 9 + 1) + 64 / 9), 12);
  });

  it('is 0 where all points are one', () => {
    expect(withinGroupScatter(Float64Array.of(3, 3, 3), Int32Array.of(0, 1, 1))).toBe(0);
  });

  it('lies between 0 and 1, and depends neither on scale nor on place', () => {
    const point = fc.record({ x: fc.integer({ min: -50, max: 50 }), group: fc.integer({ min: 0, max: 3 }) });
    fc.assert(
      fc.property(fc.array(point, { minLength: 2, maxLength: 30 }), (points) => {
        const groups = Int32Array.from(points, ({ group }) => group);
        const scatter = withinGroupScatter(
          Float64Array.from(points, ({ x }) => x),
          groups,
        );
        expect(scatter).toBeGreaterThanOrEqual(0);
        expect(scatter).toBeLessThanOrEqual(1 + 1e-12);
        expect(
          withinGroupScatter(
            Float64Array.from(points, ({ x }) => 4 * x + 8),
            groups,
          ),
        ).toBeCloseTo(scatter, 10);
      }),
    );
  });
});
