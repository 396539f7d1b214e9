/** Signals that ask a process to end, with the exit code that says so: 128 and the signal's number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

type EndingSignal = keyof typeof EXIT_CODES;

/**
 * One Ctrl-C under `npx` arrives twice: from the terminal, and passed on by npm. What comes within this many milliseconds
 * is the same request.
 */
const SAME_REQUEST = 250;

/** Why training stopped before its end: somebody asked for it. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  /** What the process should exit with. */
  readonly exitCode: number;

  constructor(readonly signal: EndingSignal) {
    super(`interrupted by ${signal}`);
    this.exitCode = EXIT_CODES[signal];
  }
}

/** A person's or a system's request to stop, as long as it is listened for. */
export interface Interruption {
  /** Aborted by the first SIGINT or SIGTERM, with an {@link InterruptedError} as its reason. */
  readonly signal: AbortSignal;
  /** Stops listening: the next signal ends the process, as it would have before. */
  stop(): void;
}

/**
 * Listens for SIGINT and SIGTERM. The first one is a request to finish the step, save a checkpoint and exit; whoever trains
 * looks at `signal` between steps. Another one exits immediately. A library must not take the signals from the program
 * that it is part of, so nothing listens unless the program calls this.
 *
 * The immediate exit is `process.exit`: the engine's trainer then waits for a step that is running, because ONNX Runtime
 * must not be ended in the middle of one. A checkpoint that is being saved is not finished, and the old one is still there.
 */
export function listenForInterruption(): Interruption {
  const request = new AbortController();
  let requestedAt = 0;
  const listeners = ending.map((signal) => {
    const listener = () => {
      if (!request.signal.aborted) {
        requestedAt = performance.now();
        request.abort(new InterruptedError(signal));
      } else if (performance.now() - requestedAt > SAME_REQUEST) {
        process.exit(EXIT_CODES[signal]);
      }
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return {
    signal: request.signal,
    stop: () => {
      for (const remove of listeners) remove();
    },
  };
}

const ending: readonly EndingSignal[] = ['SIGINT', 'SIGTERM'];
