import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitIntoBatches } from '../../src/training/batches.js';

const orders = fc.array(fc.nat(1000), { maxLength: 60 }).map((places) => Int32Array.from(places));
const sizes = fc.integer({ min: 1, max: 20 });

describe('batches', () => {
  it('drop what does not fill one, and keep the order', () => {
    fc.assert(
      fc.property(orders, sizes, (order, size) => {
        const batches = splitIntoBatches(order, size);
        expect(batches.every((batch) => batch.length === size)).toBe(true);
        expect(batches.flatMap((batch) => [...batch])).toEqual([
          ...order.slice(0, size * Math.floor(order.length / size)),
        ]);
      }),
    );
  });

  it('are filled up from the beginning if asked', () => {
    fc.assert(
      fc.property(orders, sizes, (order, size) => {
        const places = splitIntoBatches(order, size, { incomplete: 'pad' }).flatMap((batch) => [...batch]);
        expect(places.length).toBe(size * Math.ceil(order.length / size));
        expect(places.every((place, i) => place === order[i % order.length])).toBe(true);
      }),
    );
  });

  it('are not of size 0', () => {
    expect(() => splitIntoBatches(new Int32Array(3), 0)).toThrow(
      new RangeError('batchSize is 0; expected a positive integer'),
    );
  });
});
