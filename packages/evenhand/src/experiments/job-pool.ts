import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { UserError } from '../user-error.js';
import type { Job, JobMessage, JobOrder, JobProgress } from './job.js';

const PROCESS = fileURLToPath(new URL('./job-process.js', import.meta.url));

/** What this process was told on its command line (a debugger's port, a script) is not meant for the others. */
const FORK_OPTIONS: ForkOptions = { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] };

/** A job whose training diverged. Other jobs may still be worth it. */
export class DivergedJobError extends Error {
  override readonly name = 'DivergedJobError';
}

/**
 * Processes that train jobs, as many at once as there are. A process keeps the data of its last job, so that the next one
 * with the same data begins at once. If this process ends, however it ends, so do they.
 */
export class JobPool {
  readonly #free: ChildProcess[] = [];
  readonly #busy = new Set<ChildProcess>();
  readonly #waiting: (() => void)[] = [];
  #places: number;
  #stopped: Error | undefined;

  /** @param processes - how many at once; with one thread each, as many as cores is fastest */
  constructor(processes = availableParallelism()) {
    this.#places = processes;
  }

  /**
   * Carries out a job as soon as a process is free.
   *
   * @throws {@link DivergedJobError} if its training diverged
   * @throws {@link UserError} for anything else that the configuration asks for and that cannot be
   */
  async run(job: Job, onProgress: (progress: JobProgress) => void = () => undefined): Promise<void> {
    await this.#place();
    try {
      if (this.#stopped !== undefined) throw this.#stopped;
      const child = this.#idle() ?? fork(PROCESS, FORK_OPTIONS);
      this.#busy.add(child);
      try {
        await carriedOut(child, job, onProgress);
      } finally {
        this.#busy.delete(child);
        if (child.connected && this.#stopped === undefined) this.#free.push(child);
        else end(child);
      }
      // What was left at a checkpoint is not done.
      if (this.#stopped !== undefined) throw this.#stopped;
    } finally {
      this.#places++;
      this.#waiting.shift()?.();
    }
  }

  /** Leaves all jobs at a checkpoint; they and those that wait throw the reason. */
  stop(reason: Error): void {
    this.#stopped ??= reason;
    for (const child of this.#busy) order(child, { kind: 'leave' });
    this.close();
  }

  /** Ends the processes that have nothing to do. */
  close(): void {
    for (const child of this.#free.splice(0)) end(child);
  }

  /** A process that has nothing to do; one that ended meanwhile would never answer. */
  #idle(): ChildProcess | undefined {
    const child = this.#free.pop();
    return child === undefined || child.connected ? child : this.#idle();
  }

  /** Waits until one more job may run. */
  async #place(): Promise<void> {
    while (this.#places === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#places--;
  }
}

function carriedOut(child: ChildProcess, job: Job, onProgress: (progress: JobProgress) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      finish();
    };
    const onMessage = (message: JobMessage) => {
      if (message.kind === 'progress') onProgress(message.progress);
      else settle(() => (message.kind === 'done' ? resolve() : reject(errorOf(message))));
    };
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = (code: number | null, signal: string | null) =>
      settle(() =>
        reject(
          new UserError(
            `the process that trained ${job.folder} ended by ${signal ?? `exit code ${code}`}; ` +
              'start again to go on from its last checkpoint. If memory was short, take fewer processes',
          ),
        ),
      );
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    order(child, { kind: 'begin', job });
  });
}

function errorOf({ fault, message }: Extract<JobMessage, { kind: 'failed' }>): Error {
  if (fault === 'diverged') return new DivergedJobError(message);
  return fault === 'input' ? new UserError(message) : new Error(message);
}

function order(child: ChildProcess, what: JobOrder): void {
  if (child.connected) child.send(what);
}

function end(child: ChildProcess): void {
  if (child.connected) child.disconnect();
}
