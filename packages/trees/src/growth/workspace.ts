import type { Column } from '../bins/column.js';
import type { Layout } from '../memory/layout.js';
import type { Team } from '../team.js';
import type { Kernels } from '../wasm/kernels.js';

/** When a leaf is divided, and what it answers. */
export interface GrowthOptions {
  readonly leaves: number;
  readonly minimalLeafRows: number;
  readonly minimalLeafHessian: number;
  readonly minimalGain: number;
  readonly maximalDepth: number;
  readonly l2: number;
  readonly learningRate: number;
  readonly maximalLeafValue: number;
}

/** What a thread works with: the shared memory as arrays, the kernels, and the other threads. */
export class Workspace {
  readonly bytes: Uint8Array;
  readonly int32: Int32Array;
  readonly uint32: Uint32Array;
  readonly float32: Float32Array;
  readonly float64: Float64Array;
  readonly int64: BigInt64Array;

  constructor(
    memory: WebAssembly.Memory,
    readonly layout: Layout,
    readonly kernels: Kernels,
    readonly team: Team,
    readonly columns: readonly Column[],
    /** Low bits of a sum of Hessians that hold the count. */
    readonly countBits: number,
  ) {
    const { buffer } = memory;
    this.bytes = new Uint8Array(buffer);
    this.int32 = new Int32Array(buffer);
    this.uint32 = new Uint32Array(buffer);
    this.float32 = new Float32Array(buffer);
    this.float64 = new Float64Array(buffer);
    this.int64 = new BigInt64Array(buffer);
  }
}

/** What the integers of a round's gradients and Hessians are multiples of. Powers of two, so that nothing is rounded twice. */
export interface Units {
  readonly gradient: number;
  readonly hessian: number;
}
