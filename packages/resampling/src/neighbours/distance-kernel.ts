import { KERNEL_BYTES } from './kernel-bytes.js';

/** Queries that the kernel compares with rows at a time. */
export const KERNEL_QUERIES = 4;

/** Rows of a block of the kernel. */
export const KERNEL_ROWS = 8;

/** The kernel takes this many columns at a time; rows are filled up with zeros. */
export const COLUMN_STEP = 4;

/** Its memory, in pages of 64 KiB. What is not used is never taken from the system. */
export const KERNEL_PAGES = 64;

/** A kernel in WebAssembly, with vectors of four floats, and its memory. test/kernel/distance-kernel.ts is its source and its description. */
export interface DistanceKernel {
  /** Addresses and sizes in bytes; returns where the records end. */
  near(queries: number, rows: number, rowsEnd: number, columnBytes: number, records: number): number;
  readonly floats: Float32Array;
  readonly integers: Int32Array;
}

let compiled: DistanceKernel | null | undefined;

/** The kernel, or null where there is none: an engine without SIMD, or a page whose policy forbids WebAssembly. */
export function distanceKernel(): DistanceKernel | null {
  if (compiled === undefined) compiled = compile();
  return compiled;
}

function compile(): DistanceKernel | null {
  if (typeof WebAssembly === 'undefined') return null;
  const bytes = Uint8Array.from(KERNEL_BYTES.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  try {
    const memory = new WebAssembly.Memory({ initial: KERNEL_PAGES, maximum: KERNEL_PAGES });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
    const { near } = exports;
    if (!isKernel(near)) throw new Error('internal: there is no kernel "near"');
    return { near, floats: new Float32Array(memory.buffer), integers: new Int32Array(memory.buffer) };
  } catch (error) {
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return null;
    throw error;
  }
}

function isKernel(value: unknown): value is DistanceKernel['near'] {
  return typeof value === 'function';
}
