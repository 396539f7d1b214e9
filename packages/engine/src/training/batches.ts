import { at } from '../checked-access.js';

/** What becomes of the last batch of an epoch if it is not full. */
export interface BatchOptions {
  /** `pad`: it is filled up with instances from the beginning of the order. @defaultValue `drop` */
  readonly incomplete?: 'drop' | 'pad';
}

/**
 * Cuts an epoch's order of instances into batches of one size, the only one that a program takes.
 *
 * @param order - places of instances; with fewer than `batchSize` of them, `pad` repeats them and `drop` leaves no batch
 */
export function splitIntoBatches(
  order: Int32Array,
  batchSize: number,
  { incomplete = 'drop' }: BatchOptions = {},
): Int32Array[] {
  if (!Number.isSafeInteger(batchSize) || batchSize < 1) {
    throw new RangeError(`batchSize is ${batchSize}; expected a positive integer`);
  }
  const full = Math.floor(order.length / batchSize);
  const count = incomplete === 'drop' ? full : Math.ceil(order.length / batchSize);
  return Array.from({ length: count }, (_, i) => {
    const start = i * batchSize;
    if (i < full) return order.subarray(start, start + batchSize);
    return Int32Array.from({ length: batchSize }, (_, place) => at(order, (start + place) % order.length));
  });
}
