import type { NumberLabels, RowBuffer } from '../arrays.js';
import { KERNEL_BINARY } from './kernel-binary.js';

/*
 * Where the SIMD loops of kernel.wat meet JavaScript. WebAssembly reads and writes only memory of its own, so labels and
 * probabilities pass through it in chunks that stay in the processor's cache, and label rows are written without any
 * copy when the caller's buffer is itself such a memory (`labelBuffer`). Where WebAssembly is missing or forbidden (a strict
 * content security policy), every function here says so and plain JavaScript takes over with the same results.
 */

interface Loops {
  firstLabelOutside(labels: number, bytes: number, count: number, classes: number): number;
  copyRows(
    labels: number,
    bytes: number,
    count: number,
    pairs: number,
    table: number,
    stride: number,
    rows: number,
    otherLabels: number,
    otherRows: number,
  ): void;
  addRows(
    labels: number,
    bytes: number,
    count: number,
    probabilities: number,
    classes: number,
    sums: number,
    tolerance: number,
  ): number;
}
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
// Neither the DOM's types nor Node's are loaded here: this package runs in both.
declare const WebAssembly:
  | {
      Module: new (binary: Uint8Array) => object;
      Memory: new (size: { initial: number }) => Memory;
      Instance: new (module: object, imports: { kernel: { memory: Memory } }) => { readonly exports: Loops };
    }
  | undefined;

const PAGE = 65536;
/** Labels that pass through the memory at a time: one page of int32. */
const CHUNK = PAGE / 4;
/** Below this many numbers the detour through WebAssembly costs more than it saves. */
const WORTHWHILE = 4096;

interface Kernel {
  readonly memory: Memory;
  readonly loops: Loops;
}

let compiled: object | null | undefined;

function compile(): object | null {
  if (typeof WebAssembly === 'undefined') return null;
  try {
    const binary = Uint8Array.from({ length: KERNEL_BINARY.length / 2 }, (_, i) =>
      Number.parseInt(KERNEL_BINARY.slice(2 * i, 2 * i + 2), 16),
    );
    return new WebAssembly.Module(binary);
  } catch {
    return null; // no SIMD, or a content security policy without 'wasm-unsafe-eval'
  }
}

/** The loops on a fresh memory of at least `bytes`, or null where that cannot be had. */
function createKernel(bytes: number): Kernel | null {
  if (compiled === undefined) compiled = compile();
  if (compiled === null || typeof WebAssembly === 'undefined') return null;
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
    return { memory, loops: new WebAssembly.Instance(compiled, { kernel: { memory } }).exports };
  } catch {
    return null; // more than 4 GiB, or more than there is
  }
}

let shared: Kernel | null | undefined;

/** One kernel for all work that passes through, with a memory that grows to the largest job. */
function sharedKernel(bytes: number): Kernel | null {
  if (shared === undefined) shared = createKernel(bytes);
  if (shared === null) return null;
  const missing = Math.ceil((bytes - shared.memory.buffer.byteLength) / PAGE);
  if (missing > 0) {
    try {
      shared.memory.grow(missing);
    } catch {
      return null;
    }
  }
  return shared;
}

type TypedLabels = Exclude<NumberLabels, readonly number[]>;

/** Bytes of a label inside the memory: bytes stay bytes where `most` is one, all else becomes int32. */
function labelBytes(labels: TypedLabels, most: number): 1 | 4 {
  return most < 256 && (labels instanceof Uint8Array || labels instanceof Uint8ClampedArray) ? 1 : 4;
}

/** Copies labels `start … start + CHUNK` to the beginning of the memory, and `padding` behind the last ones. */
function loadLabels(kernel: Kernel, labels: TypedLabels, bytes: 1 | 4, start: number, padding = 0): number {
  const chunk = labels.subarray(start, start + CHUNK);
  const { buffer } = kernel.memory;
  const target = bytes === 1 ? new Uint8Array(buffer, 0, CHUNK) : new Int32Array(buffer, 0, CHUNK);
  target.set(chunk);
  if (chunk.length < CHUNK) target.fill(padding, chunk.length, Math.min(CHUNK, chunk.length + 15));
  return chunk.length;
}

/** Index of the first label that is no integer from 0 to `classes − 1`, or the number of labels. */
export function firstLabelOutside(labels: NumberLabels, classes: number): number {
  const start = ArrayBuffer.isView(labels) && labels.length >= WORTHWHILE ? skipGoodLabels(labels, classes) : 0;
  for (let i = start; i < labels.length; i++) {
    const label = labels[i] ?? -1;
    if (!(label >= 0 && label < classes) || label !== Math.floor(label)) return i;
  }
  return labels.length;
}

/** A number of labels, as large as SIMD can tell, that are all in range. */
function skipGoodLabels(labels: TypedLabels, classes: number): number {
  const kernel = sharedKernel(PAGE);
  if (kernel === null) return 0;
  const bytes = labelBytes(labels, classes);
  for (let start = 0; start < labels.length; start += CHUNK) {
    const count = loadLabels(kernel, labels, bytes, start);
    const good = kernel.loops.firstLabelOutside(0, bytes, count, classes);
    if (good < count) return start + good;
  }
  return labels.length;
}

/**
 * Adds rows of probabilities to the float64 sums of their classes: to those in `into`, or to zeros in a new array. Null, and
 * nothing has changed, where plain JavaScript is the better or the only way, or where a row looks improper, so that it has to say
 * what is wrong with which.
 */
export function addRows(
  labels: NumberLabels,
  probabilities: Float32Array,
  classes: number,
  into: Float64Array | undefined,
  tolerance: number,
): Float64Array | null {
  // All sums travel in and out: worthwhile only beside comparable work.
  if (!ArrayBuffer.isView(labels) || probabilities.length < WORTHWHILE || 8 * labels.length < classes) return null;
  const bytes = labelBytes(labels, classes);
  const rowsAtOnce = 2 * Math.min(CHUNK / 2, Math.max(1, Math.floor(PAGE / 2 / classes)));
  const sumsAt = PAGE;
  // Behind the sums of the classes there is a row for what pads an odd number of instances.
  const rowsAt = sumsAt + 8 * (classes + 1) * classes;
  const kernel = sharedKernel(rowsAt + 4 * (rowsAtOnce + 1) * classes);
  if (kernel === null) return null;

  const { buffer } = kernel.memory;
  const sumsInside = new Float64Array(buffer, sumsAt, classes ** 2);
  const rowsInside = new Float32Array(buffer, rowsAt, (rowsAtOnce + 1) * classes);
  if (into === undefined) sumsInside.fill(0);
  else sumsInside.set(into);
  for (let start = 0; start < labels.length; start += CHUNK) {
    const loaded = loadLabels(kernel, labels, bytes, start, classes);
    for (let at = 0; at < loaded; at += rowsAtOnce) {
      const count = Math.min(rowsAtOnce, loaded - at);
      const first = start + at;
      rowsInside.set(probabilities.subarray(first * classes, (first + count) * classes));
      if (count % 2 === 1) rowsInside.copyWithin(count * classes, 0, classes);
      if (kernel.loops.addRows(bytes * at, bytes, count, rowsAt, classes, sumsAt, tolerance) < count) return null;
    }
  }
  into?.set(sumsInside);
  return into ?? sumsInside.slice();
}

/** A memory that holds labels in its first page, then a table, then one of pairs, then rows. */
interface OwnMemory {
  readonly kernel: Kernel;
  readonly columns: number;
  readonly pairsAt: number;
  readonly rowsAt: number;
}
const ownMemories = new WeakMap<object, OwnMemory>();

/**
 * Up to this many columns two rows are copied at a time, from a table of all pairs that still fits the fastest cache: half
 * the look-ups, and every store lies within a cache line.
 */
const MOST_PAIRED = 12;

/** Float32 rows in a memory that `copyRows` writes without a copy; null where there is no WebAssembly. */
export function allocateRows(rows: number, columns: number): Float32Array | null {
  const aligned = (bytes: number) => Math.ceil(bytes / 64) * 64;
  const pairsAt = aligned(PAGE + 4 * columns ** 2);
  const rowsAt = aligned(pairsAt + (columns <= MOST_PAIRED ? 8 * columns ** 3 : 0));
  const kernel = createKernel(rowsAt + 4 * rows * columns);
  if (kernel === null) return null;
  ownMemories.set(kernel.memory.buffer, { kernel, columns, pairsAt, rowsAt });
  return new Float32Array(kernel.memory.buffer, rowsAt, rows * columns);
}

/** Writes `table[labels[i]]` to row i of `into`, if that came from {@link allocateRows}; false if it did not. */
export function copyRows(labels: NumberLabels, table: RowBuffer, columns: number, into: RowBuffer): boolean {
  const own = ownMemories.get(into.buffer);
  if (own === undefined || !(into instanceof Float32Array) || !ArrayBuffer.isView(labels)) return false;
  if (own.columns !== columns || into.byteOffset < own.rowsAt) return false;
  const { kernel, pairsAt } = own;
  const { memory, loops } = kernel;
  const bytes = labelBytes(labels, columns);
  const stride = 4 * columns;
  const paired = columns <= MOST_PAIRED;
  new Float32Array(memory.buffer, PAGE, table.length).set(table);
  if (paired) writePairs(new Float32Array(memory.buffer, pairsAt, 2 * columns ** 3), table, columns);
  for (let start = 0; start < labels.length; start += CHUNK) {
    const count = loadLabels(kernel, labels, bytes, start);
    const rowsAt = into.byteOffset + start * stride;
    // Two streams of equal length, each of whole pairs; what is left of them follows one by one.
    const half = paired ? 2 * Math.floor(count / 4) : Math.floor(count / 2);
    const copies = paired ? half : 2 * half;
    const [labelsAt, otherRowsAt] = [half * bytes, rowsAt + half * stride];
    if (paired) loops.copyRows(0, bytes, copies, columns, pairsAt, 2 * stride, rowsAt, labelsAt, otherRowsAt);
    else loops.copyRows(0, bytes, copies, 0, PAGE, stride, rowsAt, labelsAt, otherRowsAt);
    for (let i = 2 * half; i < count; i++)
      loops.copyRows(i * bytes, bytes, 1, 0, PAGE, stride, rowsAt + i * stride, 0, 0);
  }
  return true;
}

/** Rows p and q of a table side by side, for every p and q. */
function writePairs(pairs: Float32Array, table: RowBuffer, columns: number): void {
  for (let p = 0, at = 0; p < columns; p++) {
    for (let q = 0; q < columns; q++, at += 2 * columns) {
      pairs.set(table.subarray(p * columns, (p + 1) * columns), at);
      pairs.set(table.subarray(q * columns, (q + 1) * columns), at + columns);
    }
  }
}
