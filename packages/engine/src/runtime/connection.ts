/// <reference types="node" />
import type { Worker } from 'node:worker_threads';
import { errorFrom, WorkerError } from './errors.js';
import type { Request, RequestMessage, Response, ResponseMessage } from './protocol.js';

interface Pending {
  readonly kind: Request['kind'];
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Calls of a worker thread as promises. Every call is answered: by the worker, by its failure if the thread ends, or by
 * `rejectAll`. The thread keeps the process alive only while a call waits.
 */
export class Connection {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #ended: Promise<void>;
  #nextId = 0;
  #failure: Error | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.unref();
    worker.on('message', (message: ResponseMessage) => this.#receive(message));
    worker.on('error', (error: unknown) => this.#fail(crash(error)));
    worker.on('messageerror', (error: Error) => this.#fail(crash(error)));
    this.#ended = new Promise((resolve) => {
      worker.on('exit', (code) => {
        this.#fail(new WorkerError(`the worker thread ended by itself with code ${code}; start another trainer`));
        resolve();
      });
    });
  }

  /** Settles when the thread has ended. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Sends a request. The memory of `handedOver` moves to the worker and is no longer usable here. */
  call(request: Request, handedOver: readonly ArrayBuffer[] = []): Promise<Response> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    const message: RequestMessage = { id, request };
    return new Promise((resolve, reject) => {
      this.#worker.postMessage(message, handedOver);
      this.#pending.set(id, { kind: request.kind, resolve, reject });
      this.#worker.ref();
    });
  }

  /** Gives up every call that waits; what the worker answers to them later is not looked at. */
  rejectAll(error: (kind: Request['kind']) => Error): void {
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    this.#worker.unref();
    for (const { kind, reject } of waiting) reject(error(kind));
  }

  /** Ends the thread, which must not be inside native code. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #receive({ id, response }: ResponseMessage): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker.unref();
    if (response.kind === 'failed') pending.reject(errorFrom(response.error));
    else pending.resolve(response);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    const failure = this.#failure;
    this.rejectAll(() => failure);
  }
}

function crash(error: unknown): WorkerError {
  const reason = error instanceof Error ? error.message : String(error);
  return new WorkerError(`the worker thread crashed: ${reason}. Its state is lost; start another trainer`, {
    cause: error,
  });
}
