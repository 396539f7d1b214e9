import type { NumberLabels, RowBuffer } from '../arrays.js';
import { KERNEL_BINARY } from './kernel-binary.js';

/*
 * Where the SIMD loops of kernel.wat meet JavaScript. WebAssembly reads and writes only memory of its own, so labels and
 * probabilities pass through it in chunks that stay in the processor's cache, and label rows are written without any
 * copy when the caller's buffer is itself such a memory (`labelBuffer`). Where WebAssembly is missing or forbidden (a strict
 * content security policy), every function here says so and plain JavaScript takes over with the same results.
 */

interface Loops {
  firstLabelOutside(labels: number, count: number, classes: number): number;
  copyRows(labels: number, count: number, table: number, stride: number, rows: number): void;
  addRows(
    labels: number,
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

/** Copies labels `start … start + CHUNK` to the beginning of the memory, padded with zeros to a multiple of four. */
function loadLabels(kernel: Kernel, labels: Exclude<NumberLabels, readonly number[]>, start: number): number {
  const chunk = labels.subarray(start, start + CHUNK);
  const target = new Int32Array(kernel.memory.buffer, 0, CHUNK);
  target.set(chunk);
  if (chunk.length < CHUNK) target.fill(0, chunk.length, Math.min(CHUNK, chunk.length + 3));
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
function skipGoodLabels(labels: Exclude<NumberLabels, readonly number[]>, classes: number): number {
  const kernel = sharedKernel(PAGE);
  if (kernel === null) return 0;
  for (let start = 0; start < labels.length; start += CHUNK) {
    const count = loadLabels(kernel, labels, start);
    const good = kernel.loops.firstLabelOutside(0, count, classes);
    if (good < count) return start + good;
  }
  return labels.length;
}

/**
 * Adds rows of probabilities to the float64 `sums` of their classes (which stay as they were if a row is bad).
 * Returns the index of the first bad row, the number of rows if there is none, or null where plain JavaScript is the better or only way.
 */
export function addRows(
  labels: NumberLabels,
  probabilities: Float32Array,
  classes: number,
  sums: Float64Array,
  tolerance: number,
): number | null {
  // All sums travel in and out: worthwhile only beside comparable work.
  if (!ArrayBuffer.isView(labels) || probabilities.length < WORTHWHILE || 8 * labels.length < classes) return null;
  const rowsAtOnce = Math.min(CHUNK, Math.max(1, Math.floor(PAGE / classes)));
  const sumsAt = PAGE;
  const rowsAt = sumsAt + 8 * sums.length;
  const kernel = sharedKernel(rowsAt + 4 * rowsAtOnce * classes);
  if (kernel === null) return null;

  const { buffer } = kernel.memory;
  const sumsInside = new Float64Array(buffer, sumsAt, sums.length);
  const rowsInside = new Float32Array(buffer, rowsAt, rowsAtOnce * classes);
  sumsInside.set(sums);
  for (let start = 0; start < labels.length; start += CHUNK) {
    const loaded = loadLabels(kernel, labels, start);
    for (let at = 0; at < loaded; at += rowsAtOnce) {
      const count = Math.min(rowsAtOnce, loaded - at);
      const first = start + at;
      rowsInside.set(probabilities.subarray(first * classes, (first + count) * classes));
      const good = kernel.loops.addRows(4 * at, count, rowsAt, classes, sumsAt, tolerance);
      if (good < count) return first + good;
    }
  }
  sums.set(sumsInside);
  return labels.length;
}

/** A memory that holds labels in its first page, then a table, then rows. */
interface OwnMemory {
  readonly kernel: Kernel;
  readonly rowsAt: number;
}
const ownMemories = new WeakMap<object, OwnMemory>();

/** Float32 rows in a memory that `copyRows` writes without a copy; null where there is no WebAssembly. */
export function allocateRows(rows: number, columns: number): Float32Array | null {
  const rowsAt = Math.ceil((PAGE + 4 * columns * columns) / 64) * 64;
  const kernel = createKernel(rowsAt + 4 * rows * columns);
  if (kernel === null) return null;
  ownMemories.set(kernel.memory.buffer, { kernel, rowsAt });
  return new Float32Array(kernel.memory.buffer, rowsAt, rows * columns);
}

/** Writes `table[labels[i]]` to row i of `into`, if that came from {@link allocateRows}; false if it did not. */
export function copyRows(labels: NumberLabels, table: RowBuffer, columns: number, into: RowBuffer): boolean {
  const own = ownMemories.get(into.buffer);
  const stride = 4 * columns;
  if (own === undefined || !(into instanceof Float32Array) || !ArrayBuffer.isView(labels)) return false;
  if (into.byteOffset < own.rowsAt || PAGE + stride * columns > own.rowsAt) return false;
  const { memory, loops } = own.kernel;
  new Float32Array(memory.buffer, PAGE, table.length).set(table);
  for (let start = 0; start < labels.length; start += CHUNK) {
    const count = loadLabels(own.kernel, labels, start);
    loops.copyRows(0, count, PAGE, stride, into.byteOffset + start * stride);
  }
  return true;
}
