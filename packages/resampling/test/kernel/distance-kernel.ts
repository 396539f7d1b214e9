import { COLUMN_STEP, KERNEL_PAGES, KERNEL_QUERIES } from '../../src/neighbours/distance-kernel.js';
import { type Bytes, moduleOf, signed, unsigned } from './module.js';

// Instructions, as functions of what they work on. Those on vectors stand behind a prefix.
const get = (variable: number): Bytes => [0x20, variable];
const set = (variable: number, value: Bytes): Bytes => [...value, 0x21, variable];
const plus = (left: Bytes, right: Bytes): Bytes => [...left, ...right, 0x6a];
const constant = (value: number): Bytes => [0x41, ...signed(value)];
const advance = (variable: number, by: number) => set(variable, plus(get(variable), constant(by)));
const or = (left: Bytes, right: Bytes): Bytes => [...left, ...right, 0x72];
const shiftLeft = (value: Bytes, by: number): Bytes => [...value, ...constant(by), 0x74];
const store = (address: Bytes, value: Bytes): Bytes => [...address, ...value, 0x36, 0, 0];
const when = (condition: Bytes, body: Bytes): Bytes => [...condition, 0x04, 0x40, ...body, 0x0b];
/** Repeats `body` as long as an address is below another. */
const repeatBelow = (address: number, end: number, body: Bytes): Bytes => [
  ...[0x03, 0x40, ...body],
  ...[...get(address), ...get(end), 0x49, 0x0d, 0, 0x0b],
];
const simd = (opcode: number): Bytes => [0xfd, ...unsigned(opcode)];
const load = (address: Bytes, offset = 0): Bytes => [...address, ...simd(0x00), 0, ...unsigned(offset)];
/** A float four times. */
const loadSplat = (address: Bytes, offset: number): Bytes => [...address, ...simd(0x09), 0, ...unsigned(offset)];
const atMost = (left: Bytes, right: Bytes): Bytes => [...left, ...right, ...simd(0x45)];
const add = (left: Bytes, right: Bytes): Bytes => [...left, ...right, ...simd(0xe4)];
const largerOf = (left: Bytes, right: Bytes): Bytes => [...left, ...right, ...simd(0xeb)];
const multiply = (left: Bytes, right: Bytes): Bytes => [...left, ...right, ...simd(0xe6)];
/** Whether a bit of one of the vectors is set. */
const any = (vectors: readonly Bytes[]): Bytes => [
  ...vectors.flatMap((vector, i) => (i === 0 ? vector : [...vector, ...simd(0x50)])),
  ...simd(0x53),
];
/** A bit for each of the four. */
const bits = (vector: Bytes): Bytes => [...vector, ...simd(0xa4)];

// Variables: parameters, integers, vectors.
const [queries, rows, rowsEnd, columnBytes, records] = [0, 1, 2, 3, 4];
const [block, number, values, columnsEnd, mask] = [5, 6, 7, 8, 9];
const [low, high, value, firstSum] = [10, 11, 12, 13];
const sums = Array.from({ length: KERNEL_QUERIES }, (_, query) => ({
  query,
  lowSum: firstSum + 2 * query,
  highSum: firstSum + 2 * query + 1,
}));

/**
 * The kernel of the search for neighbours: which of some rows may be near to four queries. The sums of products of four queries and eight
 * rows are eight vectors, which stay in the processor's registers while it goes over the columns.
 *
 * A block of queries is their four bounds, their four norms, then column after column their four values; a block of rows the same for
 * eight rows. To the two norms the products of the values are added. For every query that has rows in a block whose sums are at most the
 * larger one of the two bounds, a record is written: `block · 1024 + query · 256 + rows`, a bit for each row.
 *
 * @returns a WebAssembly module with the function `near(queries, rows, rowsEnd, columnBytes, records)`: addresses, and how many bytes the
 *   columns of a block take. It returns where the records end.
 */
export function distanceKernel(): Uint8Array {
  const column = (step: number) => [
    ...set(low, load(get(rows), step * 32)),
    ...set(high, load(get(rows), step * 32 + 16)),
    ...sums.flatMap(({ query, lowSum, highSum }) => [
      ...set(value, loadSplat(get(values), step * 16 + query * 4)),
      ...set(lowSum, add(get(lowSum), multiply(get(value), get(low)))),
      ...set(highSum, add(get(highSum), multiply(get(value), get(high)))),
    ]),
  ];
  const columns = [
    ...Array.from({ length: COLUMN_STEP }, (_, step) => column(step)).flat(),
    ...advance(rows, 32 * COLUMN_STEP),
    ...advance(values, 16 * COLUMN_STEP),
  ];
  const compare = [
    ...set(low, load(get(block))),
    ...set(high, load(get(block), 16)),
    ...sums.flatMap(({ query, lowSum, highSum }) => [
      ...set(value, loadSplat(get(queries), query * 4)),
      ...set(lowSum, atMost(get(lowSum), largerOf(get(low), get(value)))),
      ...set(highSum, atMost(get(highSum), largerOf(get(high), get(value)))),
    ]),
  ];
  const record = sums.flatMap(({ query, lowSum, highSum }) => [
    ...set(mask, or(bits(get(lowSum)), shiftLeft(bits(get(highSum)), 4))),
    ...when(get(mask), [
      ...store(get(records), or(plus(get(number), constant(query * 256)), get(mask))),
      ...advance(records, 4),
    ]),
  ]);
  const body = [
    ...repeatBelow(rows, rowsEnd, [
      ...set(block, get(rows)),
      ...set(low, load(get(rows), 32)),
      ...set(high, load(get(rows), 48)),
      ...sums.flatMap(({ query, lowSum, highSum }) => [
        ...set(value, loadSplat(get(queries), 16 + query * 4)),
        ...set(lowSum, add(get(low), get(value))),
        ...set(highSum, add(get(high), get(value))),
      ]),
      ...advance(rows, 64),
      ...set(values, plus(get(queries), constant(32))),
      ...set(columnsEnd, plus(get(rows), get(columnBytes))),
      ...repeatBelow(rows, columnsEnd, columns),
      ...compare,
      ...when(any(sums.flatMap(({ lowSum, highSum }) => [get(lowSum), get(highSum)])), record),
      ...advance(number, 1024),
    ]),
    ...get(records),
  ];
  const vectors = 3 + 2 * KERNEL_QUERIES;
  return moduleOf({ name: 'near', parameters: 5, integers: 5, vectors, body }, KERNEL_PAGES);
}
