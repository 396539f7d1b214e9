import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../wording/error-message.js';
import { type BlobContent, BlobError, type BlobStore, checked } from './blob-store.js';
import type { StoreAddress } from './store-server.js';

/** How a store behind HTTP is found, and how long it may be away. */
export interface HttpStoreOptions {
  /** Where it is now; undefined while nobody serves it. Asked again after every failure. */
  readonly locate: () => Promise<StoreAddress | undefined>;
  /** Milliseconds that it is looked for before giving up. */
  readonly patience: number;
  /** Gives up at once, with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Milliseconds between two tries. */
const FIRST_DELAY = 100;
const LONGEST_DELAY = 5_000;

/** The server is not there, or cannot answer now. */
class Unreachable extends Error {}

/** The blobs of another process, as `StoreServer` serves them. */
export class HttpStore implements BlobStore {
  readonly #options: HttpStoreOptions;
  #address: StoreAddress | undefined;

  constructor(options: HttpStoreOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#address?.url ?? 'the store of the coordinator';
  }

  has(key: string): Promise<boolean> {
    return this.#patiently(async (request) => {
      const { status } = await request(key, { method: 'HEAD' });
      return status === 200;
    });
  }

  async *read(key: string): AsyncGenerator<Uint8Array> {
    const bytes = await this.#patiently(async (request) => {
      const response = await request(key, { method: 'GET' });
      if (response.status === 404) throw new BlobError(`${key} is not in ${this.name}`);
      return response.body ?? [];
    });
    try {
      yield* checked(asBytes(bytes), key, this.name);
    } catch (error) {
      // Who serves it breaks off where it finds damage.
      throw error instanceof BlobError
        ? error
        : new BlobError(`${key} in ${this.name} is damaged, or the connection broke (${errorMessage(error)})`);
    }
  }

  write(key: string, content: BlobContent): Promise<void> {
    return this.#patiently(async (request) => {
      const body = content.size === 0 ? new Uint8Array() : content.open();
      const response = await request(key, { method: 'PUT', body, duplex: 'half' });
      if (response.status !== 204) throw new BlobError(`${key} in ${this.name}: ${await response.text()}`);
    });
  }

  removeAll(prefix: string): Promise<void> {
    return this.#patiently(async (request) => {
      await request(prefix, { method: 'DELETE' });
    });
  }

  /** Tries until the server answers: a coordinator that is started again is elsewhere, or takes a moment. */
  async #patiently<Result>(use: (request: typeof this.request) => Promise<Result>): Promise<Result> {
    const { signal, patience, locate } = this.#options;
    const end = performance.now() + patience;
    for (let delay = FIRST_DELAY; ; delay = Math.min(2 * delay, LONGEST_DELAY)) {
      signal?.throwIfAborted();
      try {
        this.#address ??= await unlessAborted(locate(), signal);
        return await use(this.request);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        if (performance.now() > end) throw new BlobError(`${this.name} does not answer (${error.message})`);
        this.#address = undefined;
        await sleep(delay, undefined, signal === undefined ? {} : { signal });
      }
    }
  }

  private readonly request = async (key: string, init: RequestInit): Promise<Response> => {
    const address = this.#address;
    if (address === undefined) throw new Unreachable('nobody serves it');
    const { signal } = this.#options;
    const headers = { ...init.headers, authorization: `Bearer ${address.token}` };
    const response = await fetch(`${address.url}/${key}`, {
      ...init,
      headers,
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: unknown) => {
      signal?.throwIfAborted();
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw new Unreachable(errorMessage(cause));
    });
    // A token that is refused is that of a coordinator that was there before.
    if (response.status === 403 || response.status === 503) throw new Unreachable(await response.text());
    return response;
  };
}

/** Who knows where the store is may not answer. */
function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return value;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

async function* asBytes(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* parts;
}
