import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { errorCode } from '../files/file-error.js';
import type { TableReading } from '../sources/table-reading.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { accessCheck } from './access.js';
import { createApp } from './app.js';
import { CurrentModel } from './current-model.js';
import { Metrics } from './metrics.js';
import type { ModelChange } from './model-change.js';
import type { ServedModel } from './served-model.js';

/** How a model is served. */
export interface ServeOptions {
  /** 0 for any that is free. */
  readonly port: number;
  /** What to listen on. */
  readonly host: string;
  /** What clients have to know; without it, everybody who reaches the server may ask. */
  readonly token?: string | undefined;
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
  /** Instances that may wait; what comes then is asked to come again. */
  readonly queue: number;
  /** How CSV is read. @defaultValue as its content tells */
  readonly reading?: TableReading;
  /** Threads of one computation. @defaultValue 1 for tables, all but one for images */
  readonly threads?: number | undefined;
  /** Whether a new model takes the place of the old one when the file changes. @defaultValue false */
  readonly follow?: boolean;
  /** Is told what came of every change of the file. */
  readonly onChange?: (change: ModelChange) => void;
  /** Is told what went wrong inside. */
  readonly onError?: (error: unknown) => void;
}

/** Milliseconds for which a server that is ending goes on listening, so that connections end after an answer, not before one. */
const FAREWELL = 1000;
/** Milliseconds for which it waits for answers that are not written yet. */
const DRAIN = 30_000;

/** A model behind HTTP. */
export class ModelServer {
  readonly #server: Server;
  readonly #current: CurrentModel;
  readonly #onError: (error: unknown) => void;
  #draining: Promise<void> | undefined;

  private constructor(current: CurrentModel, metrics: Metrics, { host, token, bodyLimit, onError }: ServeOptions) {
    this.#current = current;
    this.#onError = onError ?? (() => undefined);
    const app = createApp({
      model: () => current.model,
      isStale: () => current.isStale,
      metrics,
      bodyLimit,
      hasToken: token !== undefined,
      checkAccess: accessCheck(token, host),
      isDraining: () => this.#draining !== undefined,
      onError: this.#onError,
    });
    this.#server = createServer(getRequestListener(app.fetch));
  }

  /**
   * Opens a model and listens.
   *
   * @throws UserError if the model cannot be used, or the address is not free
   */
  static async start(file: string, options: ServeOptions): Promise<ModelServer> {
    const { queue, reading = {}, threads, follow = false, onError = () => undefined } = options;
    const metrics = new Metrics();
    const onBatch = metrics.batch.bind(metrics);
    const onChange = (change: ModelChange) => {
      metrics.change(change);
      options.onChange?.(change);
    };
    const current = await CurrentModel.open(file, { queue, reading, threads, onBatch, follow, onChange, onError });
    const server = new ModelServer(current, metrics, options);
    try {
      await server.#listen(options);
      return server;
    } catch (error) {
      await current.close();
      throw error;
    }
  }

  /** Where it is reached: `http://127.0.0.1:8080`. */
  get address(): string {
    const { address, family, port } = this.#addressInfo();
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** The model that answers now. */
  get model(): ServedModel {
    return this.#current.model;
  }

  /** When the model cannot answer any more, with what is the matter. */
  get failed(): Promise<Error> {
    return this.#current.failed;
  }

  /** Answers what is asked until connections have ended, each after an answer that says so, then closes. */
  drain(): Promise<void> {
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  async #listen({ port, host }: ServeOptions): Promise<void> {
    this.#server.listen(port, host);
    try {
      await once(this.#server, 'listening');
    } catch (error) {
      throw listenError(error, host, port);
    }
    this.#server.on('error', this.#onError); // too many connections, say: the others go on
  }

  async #drain(): Promise<void> {
    const deadline = performance.now() + FAREWELL;
    while (performance.now() < deadline && (await this.#connections()) > 0) await milliseconds(20);
    const closed = once(this.#server, 'close');
    this.#server.close();
    const late = setTimeout(() => this.#server.closeAllConnections(), DRAIN);
    await closed;
    clearTimeout(late);
    await this.#current.close();
  }

  #connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  }

  #addressInfo(): AddressInfo {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('internal: the server does not listen');
    return address;
  }
}

function milliseconds(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count));
}

function listenError(error: unknown, host: string, port: number): UserError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'another program listens there. Choose another --port, or 0 for any that is free',
    EACCES: 'ports below 1024 are for the administrator. Choose another --port',
    EADDRNOTAVAIL: 'this machine has no such address. Choose another --host',
    ENOTFOUND: 'there is no such host. Choose another --host',
  };
  const code = errorCode(error) ?? '';
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : errorMessage(error);
  return new UserError(`cannot listen on ${host}, port ${port}: ${reason}`, { cause: error });
}
