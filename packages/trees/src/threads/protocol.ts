import type { Column } from '../bins/column.js';
import type { Round } from '../boosting/boosting.js';
import type { SessionSetting } from '../boosting/session.js';
import type { LabelRows } from '../losses/labels.js';
import type { Tree } from '../model/tree.js';

/** What a thread is started with. */
export interface ThreadData {
  readonly memory: WebAssembly.Memory;
  readonly team: Int32Array;
  readonly index: number;
  readonly setting: SessionSetting;
}

/** What all threads are asked for together. The first of them answers. */
export type Request =
  | { readonly kind: 'start' }
  | { readonly kind: 'advance' }
  | { readonly kind: 'loss' }
  | { readonly kind: 'labels'; readonly labels: LabelRows }
  | { readonly kind: 'restore'; readonly rounds: readonly (readonly (readonly Tree[])[])[] };

/** What it answers. */
export type Response =
  | { readonly kind: 'started'; readonly columns: readonly Column[]; readonly baselines: readonly Float32Array[] }
  | { readonly kind: 'round'; readonly round: Round }
  | { readonly kind: 'loss'; readonly loss: number }
  | { readonly kind: 'done' };
