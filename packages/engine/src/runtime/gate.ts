import { ClosedError } from './errors.js';
import type { OnnxRuntime } from './onnx-runtime.js';

const STOPPED = 0;
const BUSY = 1;

/**
 * Shared by a worker thread that calls ONNX Runtime and the thread that owns it.
 *
 * ONNX Runtime aborts the whole process (`Napi::Error`, SIGABRT) if a worker thread is terminated, or the process exits,
 * while native code runs in it. So the worker enters this gate before every native call, and whoever wants to end it stops
 * the gate and waits until nobody is inside.
 */
export class Gate {
  readonly #flags: Int32Array<SharedArrayBuffer>;

  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.#flags = new Int32Array(memory);
  }

  /** From now on nobody enters. */
  stop(): void {
    Atomics.store(this.#flags, STOPPED, 1);
  }

  /** Blocks this thread until nobody is inside, or the time is over. */
  waitUntilEmpty(milliseconds: number): void {
    Atomics.wait(this.#flags, BUSY, 1, milliseconds);
  }

  /** Carries out a native call, unless the gate is stopped. One call at a time. */
  async enter<Result>(call: () => Promise<Result>): Promise<Result> {
    // Busy before the look at `STOPPED`: either we see the stop, or the one who stops sees us.
    Atomics.store(this.#flags, BUSY, 1);
    try {
      if (Atomics.load(this.#flags, STOPPED) === 1) throw new ClosedError('the thread is being ended');
      return await call();
    } finally {
      Atomics.store(this.#flags, BUSY, 0);
      Atomics.notify(this.#flags, BUSY);
    }
  }
}

/** ONNX Runtime whose sessions are created and run inside the gate. */
export function gated(runtime: OnnxRuntime, gate: Gate): OnnxRuntime {
  return {
    ...runtime,
    InferenceSession: {
      create: async (model, options) => {
        const session = await gate.enter(() => runtime.InferenceSession.create(model, options));
        return {
          inputNames: session.inputNames,
          outputNames: session.outputNames,
          run: (feeds) => gate.enter(() => session.run(feeds)),
          release: () => session.release(),
        };
      },
    },
  };
}
