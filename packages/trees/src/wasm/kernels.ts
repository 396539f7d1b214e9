import { BLOCK_FEATURES, clearKernel, histogramKernel, subtractKernel } from './histogram-kernels.js';
import { wasmModule } from './module.js';
import { partitionKernel } from './partition-kernel.js';
import { type SplitConstants, splitKernel } from './split-kernel.js';

/** Adds rows to histograms; addresses in bytes. */
type HistogramKernel = (rows: number, rowsEnd: number, bins: number, statistics: number, histogram: number) => void;

/** The inner loops of training, over one memory. All arguments are addresses in bytes unless they say otherwise. */
export interface Kernels {
  /** For blocks of 1, 2, … features. */
  readonly histograms: readonly HistogramKernel[];
  clear(address: number, bytes: number): void;
  subtract(parent: number, child: number, parentEnd: number): void;
  /** Returns where the left rows end. */
  partition(
    rows: number,
    rowsEnd: number,
    bins: number,
    stride: number,
    table: number,
    left: number,
    right: number,
  ): number;
  /** @param thresholds - how many bins there are below the missing one */
  split(
    histogram: number,
    totals: number,
    thresholds: number,
    missingLeft: number,
    l2: number,
    minimalHessian: number,
    record: number,
  ): void;
}

/** What the kernels are made for; threads that share a memory make them from the same. */
export interface KernelSetting extends SplitConstants {
  readonly pages: number;
  readonly shared: boolean;
}

/** Compiles the kernels for a memory. */
export function createKernels(memory: WebAssembly.Memory, setting: KernelSetting): Kernels {
  const bytes = wasmModule(
    [
      ...Array.from({ length: BLOCK_FEATURES }, (_, i) => histogramKernel(i + 1)),
      clearKernel(),
      subtractKernel(),
      partitionKernel(),
      splitKernel(setting),
    ],
    setting,
  );
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  const kernel = (name: string) => {
    const value = exports[name];
    if (!isKernel(value)) throw new Error(`internal: there is no kernel "${name}"`);
    return value;
  };
  return {
    histograms: Array.from({ length: BLOCK_FEATURES }, (_, i) => kernel(`histogram${i + 1}`)),
    clear: kernel('clear'),
    subtract: kernel('subtract'),
    partition: kernel('partition'),
    split: kernel('split'),
  };
}

function isKernel(value: unknown): value is (...values: number[]) => number {
  return typeof value === 'function';
}
