import type { Shape, TensorData } from '../graph/tensor.js';
import type { Program } from '../training/program.js';

/** What one step is fed, by name. A scalar may be given as a plain number. */
export type Feeds = Readonly<Record<string, TensorData | number | bigint>>;

/** The value of one state entry. */
export interface StateTensor {
  readonly shape: Shape;
  readonly data: Float32Array<ArrayBuffer>;
}

/** Weights, statistics and optimizer slots by name. A map, so that no name is special. */
export type State = ReadonlyMap<string, StateTensor>;

/** Training and prediction with one program, wherever it runs. Calls are carried out in the order they are made. */
export interface Training {
  /** What is trained. */
  readonly program: Program;
  /**
   * One step of training. May be called before the step before has finished; it is then queued behind it.
   *
   * @returns the loss
   * @throws {@link FeedError} for feeds that do not fit; nothing has run
   * @throws {@link NonFiniteLossError} for a loss that is NaN or infinite; the state is as before the step. Steps that are
   * queued behind it do run, from that state.
   */
  step(feeds: Feeds): Promise<number>;
  /**
   * Several steps, one after the other, in one call: for small networks the call costs as much as the step. If one fails,
   * those before it count and those behind it do not run.
   *
   * @returns the losses
   */
  steps(batches: readonly Feeds[]): Promise<readonly number[]>;
  /**
   * The program's `outputs` `[rows, classes]`, class probabilities unless it was told otherwise, of any number of rows, as the
   * network would predict them now.
   *
   * @param rows - the inputs, one after the other
   */
  predict(rows: TensorData): Promise<Float32Array<ArrayBuffer>>;
  /** A copy of everything that training keeps. */
  state(): Promise<State>;
  /**
   * Continues from a saved state, which must have every entry of the program and no other.
   *
   * @throws {@link StateError} with the first mismatches; nothing has changed
   */
  load(state: ReadonlyMap<string, { readonly shape: Shape; readonly data: ArrayBufferView }>): Promise<void>;
  /** Frees everything. Calls that have not finished, and calls made later, throw a {@link ClosedError}. */
  close(): Promise<void>;
}
