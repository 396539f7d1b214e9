import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { TrainingListener } from '../training/events.js';
import type { Executor, TrialOrder } from './executor.js';
import { MachineError } from './machine-error.js';
import { errorOf, type ProcessMessage, type ProcessOrder } from './process-messages.js';

const PROCESS = fileURLToPath(new URL('./trial-process.js', import.meta.url));

/** What this process was told on its command line (a debugger's port, a script) is not meant for the others. */
const FORK_OPTIONS: ForkOptions = { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] };

/**
 * Trials in processes of this machine. A process keeps the data of its last trial, so that the next one with the same data
 * begins at once. If this process ends, however it ends, so do they.
 */
export class LocalProcesses implements Executor {
  readonly #free: ChildProcess[] = [];
  readonly #busy = new Set<ChildProcess>();
  readonly #waiting: (() => void)[] = [];
  #unused: number;
  #stopped: Error | undefined;

  /** @param atOnce - how many processes; with one thread each, as many as cores is fastest */
  constructor(readonly atOnce = availableParallelism()) {
    this.#unused = atOnce;
  }

  async carryOut(order: TrialOrder, onEvent: TrainingListener, signal?: AbortSignal): Promise<void> {
    await this.#turn();
    try {
      if (this.#stopped !== undefined) throw this.#stopped;
      signal?.throwIfAborted();
      const child = this.#idle() ?? fork(PROCESS, FORK_OPTIONS);
      this.#busy.add(child);
      const leave = () => tell(child, { kind: 'leave' });
      signal?.addEventListener('abort', leave);
      try {
        await carriedOut(child, order, onEvent);
      } finally {
        signal?.removeEventListener('abort', leave);
        this.#busy.delete(child);
        if (child.connected && this.#stopped === undefined) this.#free.push(child);
        else end(child);
      }
      // What was left at a checkpoint is not done.
      if (this.#stopped !== undefined) throw this.#stopped;
      signal?.throwIfAborted();
    } finally {
      this.#unused++;
      this.#waiting.shift()?.();
    }
  }

  stop(reason: Error): void {
    this.#stopped ??= reason;
    for (const child of this.#busy) tell(child, { kind: 'leave' });
    this.#endIdle();
  }

  async close(): Promise<void> {
    this.#endIdle();
  }

  #endIdle(): void {
    for (const child of this.#free.splice(0)) end(child);
  }

  /** A process that has nothing to do; one that ended meanwhile would never answer. */
  #idle(): ChildProcess | undefined {
    const child = this.#free.pop();
    return child === undefined || child.connected ? child : this.#idle();
  }

  /** Waits until one more trial may run. */
  async #turn(): Promise<void> {
    while (this.#unused === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#unused--;
  }
}

function carriedOut(child: ChildProcess, order: TrialOrder, onEvent: TrainingListener): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = (finish: () => void) => {
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      finish();
    };
    const onMessage = (message: ProcessMessage) => {
      if (message.kind === 'training') onEvent(message.event);
      else over(() => (message.kind === 'done' ? resolve() : reject(errorOf(message.fault))));
    };
    const onError = (error: Error) => over(() => reject(error));
    const onExit = (code: number | null, signal: string | null) =>
      over(() =>
        reject(
          new MachineError(
            `the process that trained ${order.folder} ended by ${signal ?? `exit code ${code}`}; ` +
              'start again to go on from its last checkpoint. If memory was short, take fewer processes',
          ),
        ),
      );
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    tell(child, { kind: 'begin', order });
  });
}

function tell(child: ChildProcess, order: ProcessOrder): void {
  if (child.connected) child.send(order);
}

function end(child: ChildProcess): void {
  if (child.connected) child.disconnect();
}
