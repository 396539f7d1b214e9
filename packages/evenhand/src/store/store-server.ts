import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { BlobError, type BlobStore, hashIn, isPrefix } from './blob-store.js';

/** Where a store can be reached. */
export interface StoreAddress {
  readonly url: string;
  /** Who does not know it is refused. */
  readonly token: string;
}

/** Where to listen, and what others call this machine. */
export interface ServerPlace {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

/** Serves a store over HTTP to whoever has the token: GET, HEAD, PUT and DELETE of keys. */
export class StoreServer {
  readonly #server: Server;

  private constructor(
    server: Server,
    readonly address: StoreAddress,
  ) {
    this.#server = server;
  }

  /** @throws UserError if nothing can be served there */
  static async start(store: BlobStore, { host, port }: ServerPlace, token: string): Promise<StoreServer> {
    const server = createServer((request, response) => {
      answer(store, token, request, response).catch(() => response.destroy());
    });
    // A large blob may take long; a connection on which nothing moves is given up.
    server.requestTimeout = 0;
    server.setTimeout(IDLE);
    server.listen(port, host);
    await once(server, 'listening').catch((error: unknown) => {
      throw new UserError(
        `data cannot be served at ${host}:${port} (${errorMessage(error)}); give another address or port with --serve, or another store with --store`,
      );
    });
    const bound = server.address();
    const actual = typeof bound === 'object' && bound !== null ? bound.port : port;
    return new StoreServer(server, { url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`, token });
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Milliseconds. */
const IDLE = 120_000;

async function answer(
  store: BlobStore,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isAllowed(request, token)) return refuse(request, response, 403, 'the token is missing or wrong');
  const key = (request.url ?? '').slice(1);
  if (request.method === 'DELETE' && isPrefix(key)) {
    await store.removeAll(key);
    response.writeHead(204).end();
    return;
  }
  if (hashIn(key) === undefined) return refuse(request, response, 400, 'the key is not one of a blob');
  if (request.method === 'PUT') return take(store, key, request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(request, response, 405, 'expected GET, HEAD, PUT or DELETE');
  if (!(await store.has(key))) return refuse(request, response, 404, `${key} is not there`);
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  if (request.method === 'HEAD') response.end();
  else await pipeline(store.read(key), response);
}

async function take(store: BlobStore, key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await store.write(key, { size: Number.NaN, open: () => request });
    response.writeHead(204).end();
  } catch (error) {
    refuse(request, response, error instanceof BlobError ? 422 : 507, errorMessage(error));
  }
}

function isAllowed(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  request.resume();
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(message);
}
