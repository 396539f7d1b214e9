import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLASSES, classCounts, doubled, erased, halved, heldOut, type Point } from '../../src/playground/points.js';
import { PRESETS } from '../../src/playground/presets.js';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const painted: fc.Arbitrary<Point[]> = fc.array(
  fc.record({ x: share, y: share, label: fc.integer({ min: 0, max: CLASSES.length - 1 }) }),
  { maxLength: 60 },
);

describe('held-out points', () => {
  it('are one in four of every class, and never all of it', () => {
    fc.assert(
      fc.property(painted, (points) => {
        const isHeldOut = heldOut(points);
        for (const [label, count] of classCounts(points).entries()) {
          const own = points.filter((point, i) => point.label === label && isHeldOut[i] === true).length;
          expect(own).toBe(Math.floor((count + 2) / 4));
          if (count > 0) expect(own).toBeLessThan(count);
        }
      }),
    );
  });

  it('stay those that they are when more is painted', () => {
    fc.assert(
      fc.property(painted, painted, (before, more) => {
        expect(heldOut([...before, ...more]).slice(0, before.length)).toEqual(heldOut(before));
      }),
    );
  });
});

describe('points', () => {
  it('of a class are halved and doubled, and those of others stay', () => {
    fc.assert(
      fc.property(painted, fc.integer({ min: 0, max: 2 }), (points, label) => {
        const counts = classCounts(points);
        const expected = (change: (count: number) => number) =>
          counts.map((count, own) => (own === label ? change(count) : count));
        expect(classCounts(halved(points, label))).toEqual(expected((count) => Math.ceil(count / 2)));
        expect(classCounts(doubled(points, label))).toEqual(expected((count) => 2 * count));
      }),
    );
  });

  it('within the eraser are gone, and no others', () => {
    const points = [0.1, 0.14, 0.3].map((x) => ({ x, y: 0.5, label: 0 }));
    expect(erased(points, 0.1, 0.5, 0.05).map(({ x }) => x)).toEqual([0.3]);
  });
});

describe.each(PRESETS)('the preset $name', ({ hint, points }) => {
  it('has points of at least two classes inside the square, as many as it says', () => {
    const counts = classCounts(points).filter((count) => count > 0);
    expect(counts.length).toBeGreaterThan(1);
    expect(points.every(({ x, y }) => x > 0 && x < 1 && y > 0 && y < 1)).toBe(true);
    for (const number of hint.match(/\d+/g) ?? []) expect(counts).toContain(Number(number));
  });
});
