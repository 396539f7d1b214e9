import { seededRandom } from '@evenhand/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochOrder } from '../../src/methods/epoch-order.js';

const labelLists = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 }).map((labels) => Int32Array.from(labels));
const SAMPLINGS = ['natural', 'balanced'] as const;

function tally(values: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

describe('epochOrder', () => {
  it('natural: has every instance once', () => {
    fc.assert(
      fc.property(labelLists, fc.integer(), (labels, seed) => {
        const order = epochOrder(labels, 'natural', seededRandom(seed, 'order'));
        expect([...order].sort((a, b) => a - b)).toEqual([...labels.keys()]);
      }),
    );
  });

  it('balanced: has every class as often as the largest, and of a class every instance equally often but for one', () => {
    fc.assert(
      fc.property(labelLists, fc.integer(), (labels, seed) => {
        const order = epochOrder(labels, 'balanced', seededRandom(seed, 'order'));
        const sizes = tally(labels);
        const largest = Math.max(0, ...sizes.values());
        const drawn = tally(order.map((instance) => labels[instance] ?? -1));
        expect(drawn).toEqual(new Map([...drawn.keys()].map((label) => [label, largest])));
        expect(drawn.size).toBe(sizes.size);
        const times = tally(order);
        labels.forEach((label, instance) => {
          const rounds = largest / (sizes.get(label) ?? 0);
          expect([Math.floor(rounds), Math.ceil(rounds)]).toContain(times.get(instance));
        });
      }),
    );
  });

  it.each(SAMPLINGS)('%s: is decided by the random numbers', (sampling) => {
    const labels = Int32Array.from({ length: 100 }, (_, i) => (i < 90 ? 0 : 1));
    const order = (seed: number) => epochOrder(labels, sampling, seededRandom(seed, 'order'));
    expect(order(1)).toEqual(order(1));
    expect(order(2)).not.toEqual(order(1));
  });

  it('balanced: draws other instances for the last round in another epoch', () => {
    const labels = Int32Array.of(0, 0, 0, 0, 0, 1, 1, 1);
    const twice = (seed: number) =>
      [...tally(epochOrder(labels, 'balanced', seededRandom(seed, 'order')))].filter(([, times]) => times === 2);
    const seen = new Set(Array.from({ length: 50 }, (_, seed) => twice(seed).map(([instance]) => instance)).flat());
    expect(seen).toEqual(new Set([5, 6, 7]));
  });

  it('balanced: mixes the classes', () => {
    const labels = Int32Array.from({ length: 110 }, (_, i) => (i < 100 ? 0 : 1));
    const order = epochOrder(labels, 'balanced', seededRandom(1, 'order'));
    const rareInFirstHalf = order.subarray(0, 100).filter((instance) => instance >= 100).length;
    expect(Math.abs(rareInFirstHalf - 50)).toBeLessThan(20);
  });
});
