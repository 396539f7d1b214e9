import type { Point } from '../points.js';

/** What is compared, in the order of the page. */
export const METHODS = ['one-hot', 'enhancement', 'logit-adjustment'] as const;
export type Method = (typeof METHODS)[number];

/** Points of the grid on each side of the square at which the networks are asked. */
export const GRID = 64;

/** What the sliders set. */
export interface Rates {
  /** ε */
  readonly enhancementRate: number;
  /** μ */
  readonly updatingRate: number;
  /** τ */
  readonly adjustment: number;
}

/** What a network says. */
export interface MethodSnapshot {
  readonly method: Method;
  /** `[GRID, GRID, classes]`, rows from the bottom, of the points in the middle of each cell. */
  readonly probabilities: Float32Array;
  /** The share of the square that it takes for each class. */
  readonly areas: readonly number[];
  /** Of each class, how many of the held-out points it finds. */
  readonly found: readonly number[];
}

/** Where training is. */
export interface Snapshot {
  readonly epoch: number;
  /** The classes that take part: indices in the list of all. What follows is of these, in this order. */
  readonly classes: readonly number[];
  readonly methods: readonly MethodSnapshot[];
  readonly heldOutCounts: readonly number[];
  /** G, row by row. */
  readonly generator: readonly number[];
}

/** What the page asks of the worker. */
export type Order =
  /** The first one. `runtime`: ONNX Runtime's WebAssembly, packed by gzip and written in base64. */
  | { readonly kind: 'start'; readonly runtime: string }
  /** Trains these points from now on, for as many epochs as a rest takes, from the beginning if `restart`. */
  | { readonly kind: 'train'; readonly points: readonly Point[]; readonly rates: Rates; readonly restart: boolean }
  | { readonly kind: 'pause' };

/** What the worker tells the page. */
export type Message =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly isAtRest: boolean }
  | { readonly kind: 'failed'; readonly reason: string };
