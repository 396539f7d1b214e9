/// <reference types="node" />
import { Worker } from 'node:worker_threads';
import type { SessionSetting } from '../boosting/session.js';
import { TreesError } from '../errors.js';
import type { Request, Response, ThreadData } from './protocol.js';
import { teamMemory } from './shared-team.js';

interface Waiting {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

/** What a thread works on is in the memory that all share; of short-lived objects it has few, and by default would keep room for many. */
const YOUNG_MEGABYTES = 1;

/** Threads that train together. They are asked for one thing at a time, and all of them do it; the first answers. */
export class ThreadGroup {
  readonly #workers: readonly Worker[];
  #waiting: Waiting | undefined;
  #failure: Error | undefined;

  constructor(memory: WebAssembly.Memory, setting: SessionSetting) {
    const team = teamMemory();
    this.#workers = Array.from({ length: setting.sizes.threads }, (_, index) => {
      const workerData: ThreadData = { memory, team, index, setting };
      const worker = new Worker(new URL('./worker.js', import.meta.url), {
        workerData,
        execArgv: [],
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
      });
      worker.on('message', (response: Response) => this.#answered(response));
      worker.on('error', (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.#failed(
          new TreesError(`a thread of the training crashed: ${reason}. What it has trained is lost; start again`, {
            cause: error,
          }),
        );
      });
      worker.on('exit', (code) =>
        this.#failed(new TreesError(`a thread of the training ended by itself with code ${code}; start again`)),
      );
      return worker;
    });
  }

  #answered(response: Response): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(response);
  }

  /** The other threads would wait for this one for ever. */
  #failed(error: Error): void {
    this.#failure ??= error;
    this.#waiting?.reject(error);
    this.#waiting = undefined;
    void this.close();
  }

  ask(request: Request): Promise<Response> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#waiting !== undefined) throw new Error('internal: the threads have not answered yet');
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      for (const worker of this.#workers) worker.postMessage(request);
    });
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    this.#failure ??= new TreesError('the training has been closed; start another');
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
