import type { EpochEvent } from 'evenhand/studio';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { niceRange, ticks } from '../src/charts/ticks.js';
import { withLines } from '../src/server/epoch-lines.js';

const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe('axes', () => {
  it('hold all values', () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1, maxLength: 20 }), (values) => {
        const [low, high] = niceRange(values);
        expect(low).toBeLessThan(high);
        const slack = 1e-6 * (high - low);
        for (const value of values) {
          expect(value).toBeGreaterThanOrEqual(low - slack);
          expect(value).toBeLessThanOrEqual(high + slack);
        }
      }),
    );
  });

  it('have rising ticks, not many more than asked for, within their range', () => {
    fc.assert(
      fc.property(
        finite,
        fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
        fc.integer({ min: 1, max: 12 }),
        (low, length, about) => {
          const found = ticks(low, low + length, about);
          expect(found.length).toBeLessThanOrEqual(about + 1);
          expect([...found].sort((a, b) => a - b)).toEqual(found);
          for (const tick of found) expect(tick).toBeGreaterThanOrEqual(low - 1e-6 * (length + Math.abs(low)));
        },
      ),
    );
  });

  it('have round ticks', () => {
    expect(ticks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticks(1, 60, 6)).toEqual([10, 20, 30, 40, 50, 60]);
  });
});

describe('lines of epochs', () => {
  const event = (epoch: number, loss: number, member: string | null = null): EpochEvent => ({
    member,
    line: { epoch, loss, learningRate: 0.1, validation: null },
  });
  const losses = (events: readonly EpochEvent[], member = '') =>
    withLines(new Map(), events)
      .get(member)
      ?.map(({ epoch, loss }) => [epoch, loss]);

  it('are kept member by member', () => {
    const events = [event(1, 3, 'linear'), event(1, 2, 'tabular'), event(2, 1, 'linear')];
    expect(losses(events, 'linear')).toEqual([
      [1, 3],
      [2, 1],
    ]);
    expect(losses(events, 'tabular')).toEqual([[1, 2]]);
  });

  it('of epochs that are done again take the place of the former ones', () => {
    expect(losses([event(1, 3), event(2, 2), event(3, 1), event(2, 5)])).toEqual([
      [1, 3],
      [2, 5],
    ]);
  });
});
