import { Worker } from 'node:worker_threads';
import { Gate, stopAtExit } from '@evenhand/engine/node';
import { UserError } from '../user-error.js';
import type { Cells } from './cells.js';

/** What a model is asked about: cells of a table, or pixels of images. */
export type Instances = Cells | Uint8Array<ArrayBuffer>;

/** What a model says of instances. */
export interface Answers {
  /** Indices of classes. */
  readonly classes: Int32Array;
  /** `[instances, classes]` */
  readonly probabilities: Float32Array;
}

/** What the thread is started with. */
export interface ModelWorkerStart {
  readonly model: Uint8Array;
  readonly threads: number;
  readonly gate: SharedArrayBuffer;
}

/** What the thread says: that it is ready, then one answer to each message, in their order. */
export type ModelMessage =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'answers' } & Answers)
  | { readonly kind: 'failed'; readonly message: string; readonly byUser: boolean };

/** The built one, also where this runs from the sources, as in tests. */
const WORKER = new URL('../../dist/serve/model-worker.js', import.meta.url);

interface Waiting {
  readonly resolve: (message: ModelMessage) => void;
  readonly reject: (error: Error) => void;
}

/** A model in a thread of its own: ONNX Runtime blocks the thread that calls it, and this one has to answer the network. */
export class ModelThread {
  readonly #worker: Worker;
  readonly #gate = new Gate();
  readonly #waiting: Waiting[] = [];
  /** When the thread has ended, with what ended it unless it was {@link close}. */
  readonly ended: Promise<Error | undefined>;
  #isClosing = false;

  private constructor(model: Uint8Array, threads: number) {
    const workerData: ModelWorkerStart = { model, threads, gate: this.#gate.memory };
    this.#worker = new Worker(WORKER, { workerData, execArgv: [] });
    let fault: Error | undefined;
    this.#worker.on('message', (message: ModelMessage) => this.#waiting.shift()?.resolve(message));
    this.#worker.on('error', (error: Error) => {
      fault = error;
    });
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        fault ??= this.#isClosing ? undefined : new Error(`internal: the thread of the model ended with code ${code}`);
        for (const { reject } of this.#waiting.splice(0)) reject(fault ?? new Error('internal: the model was closed'));
        resolve(fault);
      });
    });
    stopAtExit(this.#gate, this.ended);
  }

  /** @throws UserError if ONNX Runtime cannot use the model */
  static async start(model: Uint8Array, threads: number): Promise<ModelThread> {
    const thread = new ModelThread(model, threads);
    try {
      await thread.#answer('ready');
      return thread;
    } catch (error) {
      await thread.close();
      throw error;
    }
  }

  /** @param instances - are handed over: their memory is the thread's afterwards */
  predict(instances: Instances): Promise<Answers> {
    const answer = this.#answer('answers');
    this.#worker.postMessage(instances, [instances.buffer]);
    return answer;
  }

  /** Ends the thread once ONNX Runtime does not compute in it any more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#gate.stop();
    this.#gate.waitUntilEmpty(LONGEST_RUN);
    await this.#worker.terminate();
  }

  async #answer<Kind extends ModelMessage['kind']>(kind: Kind): Promise<Extract<ModelMessage, { kind: Kind }>> {
    const message = await new Promise<ModelMessage>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    if (isOfKind(message, kind)) return message;
    if (message.kind !== 'failed') throw new Error(`internal: the thread of the model says "${message.kind}"`);
    throw message.byUser ? new UserError(message.message) : new Error(message.message);
  }
}

/** Milliseconds that the end of a thread waits for a computation. */
const LONGEST_RUN = 60_000;

function isOfKind<Kind extends ModelMessage['kind']>(
  message: ModelMessage,
  kind: Kind,
): message is Extract<ModelMessage, { kind: Kind }> {
  return message.kind === kind;
}
