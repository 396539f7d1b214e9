import { createServer, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { errorCode } from '../../files/file-error.js';
import { UserError } from '../../user-error.js';
import { errorMessage } from '../../wording/error-message.js';
import type { Places } from '../interface.js';
import { addRoutes } from '../routes/routes.js';
import { EventStreams } from '../runs/event-streams.js';
import { RunIndex } from '../runs/run-index.js';
import { RunWatch } from '../runs/watch-runs.js';
import { Guard, HARDENED } from './guard.js';
import { readPageFiles } from './page-files.js';
import { BOARD, openQueueBoard } from './queue-board.js';

/** How a studio is started. */
export interface StudioOptions {
  /** Folders with runs. */
  readonly folders: readonly string[];
  /** @defaultValue a free one */
  readonly port?: number;
  /** @defaultValue 127.0.0.1, which other computers do not reach */
  readonly host?: string;
  /** Where the studio is started: folders are relative to it, and data is looked for in it. @defaultValue the current folder */
  readonly base?: string;
  /** A queue of trials that is shown too: `redis://host:6379`, `postgres://user@host/database`. */
  readonly queue?: string;
  /** Is told the next address whenever one was used. */
  readonly onAddress?: (address: string) => void;
}

/** A studio that runs. */
export interface Studio {
  /** Opens it once, in one browser. */
  readonly address: string;
  readonly port: number;
  readonly server: Server;
  /** Pages that are open. */
  readonly streams: EventStreams;
  close(): Promise<void>;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Starts the server of the studio.
 *
 * @throws {@link UserError} if the port is taken or the address is not this computer's
 */
export async function startStudio({
  folders,
  port: wanted = 0,
  host = '127.0.0.1',
  base = process.cwd(),
  queue,
  onAddress = () => undefined,
}: StudioOptions): Promise<Studio> {
  const files = await readPageFiles();
  const board = queue === undefined ? undefined : await openQueueBoard(queue);
  const index = new RunIndex(folders, base);
  const watch = new RunWatch(index);
  const streams = new EventStreams(index, watch);
  let guard: Guard | undefined;
  const app = new Hono();
  const closeRoutes = addRoutes(app, { index, streams, base });
  app.get('/api/places', (c) => c.json<Places>({ queues: board === undefined ? null : BOARD }));
  if (board !== undefined) {
    app.all(BOARD, ({ req }) => board.answer(req.raw));
    app.all(`${BOARD}/*`, ({ req }) => board.answer(req.raw));
  }
  app.get('*', ({ req }) => {
    const file = files.get(req.path);
    if (file === undefined) return failure('there is nothing at this address', 404);
    return new Response(new Uint8Array(file.content), { headers: file.headers });
  });
  app.notFound(() => failure('there is nothing at this address', 404));
  app.onError((error) => {
    if (error instanceof HTTPException) return failure(error.message, error.status);
    return error instanceof UserError ? failure(error.message, 400) : failure(`internal: ${errorMessage(error)}`, 500);
  });
  const answer = (request: Request) => guard?.refuse(request) ?? app.fetch(request);
  const server = createServer(getRequestListener(answer, { overrideGlobalObjects: false }));
  const port = await listen(server, wanted, host);
  const addressOf = (token: string) =>
    `http://${host === '0.0.0.0' || host === '::' ? firstAddress() : bracketed(host)}:${port}/?token=${token}`;
  const made = new Guard({ hosts: hostsOf(host), port, onUsed: () => onAddress(addressOf(made.token)) });
  guard = made;
  void index.refresh().catch(() => undefined);
  return {
    address: addressOf(made.token),
    port,
    server,
    streams,
    close: async () => {
      streams.close();
      watch.close();
      await closeRoutes();
      await board?.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** An answer that says what is wrong. */
function failure(error: string, status: number): Response {
  return Response.json({ error }, { status, headers: HARDENED });
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = errorCode(error);
      if (code === 'EADDRINUSE') {
        reject(new UserError(`port ${port} is taken, perhaps by another studio; choose another one with --port`));
      } else if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
        reject(
          new UserError(`--host ${host} is not an address of this computer; expected one, 0.0.0.0 for all, or none`),
        );
      } else if (code === 'EACCES') {
        reject(new UserError(`port ${port} needs more rights; choose one from 1024 on with --port`));
      } else reject(error);
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** What the server may be called. */
function hostsOf(host: string): string[] {
  if (LOOPBACK.includes(bracketed(host))) return LOOPBACK;
  if (host !== '0.0.0.0' && host !== '::') return [...LOOPBACK, bracketed(host.toLowerCase())];
  return [...LOOPBACK, ...ownAddresses()];
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => bracketed(address)));
}

function firstAddress(): string {
  return ownAddresses().find((address) => !LOOPBACK.includes(address) && !address.startsWith('[')) ?? 'localhost';
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
