import { i32, i64x2, memoryFill, repeatWhile, v128, when } from './instructions.js';
import { FunctionWriter, type WrittenFunction } from './module.js';

/** Bins of a feature, the one for missing values included: a bin is a byte. */
export const BINS = 256;

/** Bytes of a bin of a histogram: the sum of the gradients, and that of the Hessians with the count, 64 bits each. */
export const BIN_BYTES = 16;

/** Features whose bins lie side by side: their histograms, of 4 KiB each, fit into the fastest cache together. */
export const BLOCK_FEATURES = 8;

/**
 * Adds rows to the histograms of a block of features: for every row and feature one vector is read, added to, and written. The sums
 * are integers, so that their order does not matter.
 */
export function histogramKernel(width: number): WrittenFunction {
  const writer = new FunctionWriter(`histogram${width}`);
  const rows = writer.parameter('i32');
  const rowsEnd = writer.parameter('i32');
  const bins = writer.parameter('i32');
  const statistics = writer.parameter('i32');
  const histogram = writer.parameter('i32');
  const row = writer.local('i32');
  const own = writer.local('i32');
  const entry = writer.local('i32');
  const values = writer.local('v128');
  const features = Array.from({ length: width }, (_, feature) => {
    const offset = feature * BINS * BIN_BYTES;
    return [
      ...entry.set(i32.add(histogram.value, i32.shl(i32.load8(own.value, feature), i32.const(4)))),
      ...v128.store(entry.value, i64x2.add(v128.load(entry.value, offset), values.value), offset),
    ];
  });
  const body = [
    ...row.set(i32.load(rows.value)),
    ...values.set(v128.load(i32.add(statistics.value, i32.shl(row.value, i32.const(4))))),
    ...own.set(i32.add(bins.value, i32.mul(row.value, i32.const(width)))),
    ...features.flat(),
    ...rows.set(i32.add(rows.value, i32.const(4))),
  ];
  const goOn = i32.ltUnsigned(rows.value, rowsEnd.value);
  return { writer, body: when(goOn, repeatWhile(body, goOn)) };
}

/** Sets a part of the memory to 0. */
export function clearKernel(): WrittenFunction {
  const writer = new FunctionWriter('clear');
  const address = writer.parameter('i32');
  const bytes = writer.parameter('i32');
  return { writer, body: memoryFill(address.value, i32.const(0), bytes.value) };
}

/** What is left of a parent's histogram without one of its children is that of the other; it takes the parent's place. */
export function subtractKernel(): WrittenFunction {
  const writer = new FunctionWriter('subtract');
  const parent = writer.parameter('i32');
  const child = writer.parameter('i32');
  const end = writer.parameter('i32');
  const body = [
    ...v128.store(parent.value, i64x2.sub(v128.load(parent.value), v128.load(child.value))),
    ...parent.set(i32.add(parent.value, i32.const(BIN_BYTES))),
    ...child.set(i32.add(child.value, i32.const(BIN_BYTES))),
  ];
  return { writer, body: repeatWhile(body, i32.ltUnsigned(parent.value, end.value)) };
}
