/// <reference types="node" />
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { at } from '../checked-access.js';
import { bytesOf } from '../graph/bytes.js';
import type { TensorData } from '../graph/tensor.js';
import type { Program } from '../training/program.js';
import { Connection } from './connection.js';
import { ClosedError } from './errors.js';
import { checkFeeds, countRows } from './feeds.js';
import { Gate } from './gate.js';
import type { DeviceOptions } from './onnx-runtime.js';
import { buffersOf, expectResponse, type WorkerStart } from './protocol.js';
import { checkState } from './state.js';
import { stopAtExit } from './stop-at-exit.js';
import type { Feeds, State, Training } from './training.js';

/** More threads than this rarely make a batch of ordinary size faster, and a laptop stays usable. */
const MOST_THREADS = 8;

/** What happens to the memory of a call's arrays. */
export interface StepOptions {
  /**
   * Names of feeds that are handed over to the worker instead of copied. Their arrays are empty afterwards; a feed that is
   * used again, as a generator matrix is, must not be among them.
   *
   * @defaultValue none
   */
  readonly handOver?: readonly string[];
}

/**
 * A program at work in a worker thread of Node, so that the caller's event loop stays free.
 *
 * An idle trainer does not keep the process alive. If the process exits while a step runs, it waits for that step.
 *
 * @example
 * ```ts
 * const trainer = await Trainer.start(program, { threads: 2 });
 * const loss = await trainer.step({ input, labels, learningRate: 0.1, step: 0 });
 * await trainer.close();
 * ```
 */
export class Trainer implements Training {
  readonly program: Program;
  readonly #gate: Gate;
  readonly #connection: Connection;
  #closing: Promise<void> | undefined;

  private constructor(program: Program, options: DeviceOptions) {
    this.program = program;
    this.#gate = new Gate();
    const workerData: WorkerStart = { program, options, gate: this.#gate.memory };
    // `./worker.js` beside this file, written so that bundlers see it; Node's own options (--input-type) are not for it.
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData, execArgv: [] });
    this.#connection = new Connection(worker);
    stopAtExit(this.#gate, this.#connection.ended);
  }

  /**
   * Starts a worker thread and creates the program's sessions in it.
   *
   * @param options - `threads` is as many as the machine runs at once (`os.availableParallelism()`), at most 8, unless given.
   * The same bytes come out only for the same number.
   * @throws {@link DeviceError} if the device or ONNX Runtime is not there
   */
  static async start(program: Program, options: DeviceOptions = {}): Promise<Trainer> {
    const trainer = new Trainer(program, { threads: Math.min(availableParallelism(), MOST_THREADS), ...options });
    try {
      await trainer.#connection.call({ kind: 'start' });
      return trainer;
    } catch (error) {
      await trainer.#connection.terminate();
      throw error;
    }
  }

  /** {@inheritDoc Training.step} */
  async step(feeds: Feeds, options: StepOptions = {}): Promise<number> {
    return at(await this.steps([feeds], options), 0);
  }

  /** {@inheritDoc Training.steps} */
  async steps(batches: readonly Feeds[], { handOver = [] }: StepOptions = {}): Promise<readonly number[]> {
    this.#checkOpen();
    for (const feeds of batches) checkFeeds(this.program, feeds);
    const memory: ArrayBuffer[] = [];
    const own = (name: string, value: Feeds[string]) => {
      if (typeof value === 'number' || typeof value === 'bigint') return value;
      const array = handOver.includes(name) ? whole(value) : copyOf(value);
      memory.push(array.buffer);
      return array;
    };
    const sent = batches.map(
      (feeds) => new Map(Object.entries(feeds).map(([name, value]) => [name, own(name, value)])),
    );
    const response = await this.#connection.call({ kind: 'steps', batches: sent }, memory);
    return expectResponse(response, 'losses').losses;
  }

  /** {@inheritDoc Training.predict} */
  async predict(rows: TensorData): Promise<Float32Array<ArrayBuffer>> {
    this.#checkOpen();
    countRows(this.program.input, rows);
    const copy = copyOf(rows);
    const response = await this.#connection.call({ kind: 'predict', rows: copy }, [copy.buffer]);
    return expectResponse(response, 'predicted').predicted;
  }

  /** {@inheritDoc Training.state} */
  async state(): Promise<State> {
    this.#checkOpen();
    return expectResponse(await this.#connection.call({ kind: 'state' }), 'state').state;
  }

  /** {@inheritDoc Training.load} */
  async load(state: Parameters<Training['load']>[0]): Promise<void> {
    this.#checkOpen();
    const copy = checkState(this.program.state, state);
    await this.#connection.call({ kind: 'load', state: copy }, buffersOf(copy));
  }

  /** {@inheritDoc Training.close} The thread ends when the step that is running has; queued ones are not run. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#gate.stop();
    this.#connection.rejectAll((kind) => new ClosedError(`the trainer was closed before "${kind}" had finished`));
    // A thread that has crashed is as closed as one can be.
    await this.#connection.call({ kind: 'close' }).catch(() => undefined);
    await this.#connection.terminate();
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new ClosedError('the trainer is closed; start another one to go on');
  }
}

/** The array itself if it has its memory to itself, otherwise a copy: memory can only be handed over as a whole. */
function whole(value: TensorData) {
  return value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
    ? sameIn(value.buffer, value)
    : copyOf(value);
}

function copyOf(value: TensorData) {
  return sameIn(bytesOf(value).buffer, value);
}

function sameIn(memory: ArrayBuffer, value: TensorData) {
  if (value instanceof Float32Array) return new Float32Array(memory);
  if (value instanceof BigInt64Array) return new BigInt64Array(memory);
  return value instanceof Int32Array ? new Int32Array(memory) : new Uint8Array(memory);
}
