import type { BaseAdapter } from '@bull-board/api/baseAdapter';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { Presence } from '../../queue/presence.js';
import { QueueServer, type TrialQueue } from '../../queue/queue-server.js';
import { UserError } from '../../user-error.js';
import { HARDENED } from './guard.js';

/** Where the board is, below the studio. */
export const BOARD = '/queues';

/** The board of a server's queues. */
export interface QueueBoard {
  /** Answers what is asked below {@link BOARD}. */
  answer(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** The board's own page has styles in it, and asks for a font elsewhere, which it does not get. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

/**
 * Opens bull-board on all queues of a server, to be looked at and not touched.
 *
 * @throws {@link UserError} if a package is missing or the server cannot be reached
 */
export async function openQueueBoard(url: string): Promise<QueueBoard> {
  const { createBullBoard, BullMQAdapter, HonoAdapter } = await loadPackages();
  const server = await QueueServer.connect(url);
  const presence = new Presence(server);
  const queues = new Map<string, TrialQueue>();
  const pages = new HonoAdapter(serveStatic).setBasePath(BOARD);
  const options = { uiConfig: { boardTitle: 'Evenhand queues', locale: { lng: 'en-US' } } };
  const board = createBullBoard({ queues: [], serverAdapter: pages, options });
  const app = new Hono().route(BOARD, pages.registerPlugin());

  /** Coordinators come and go, and with them queues. */
  const addQueues = async () => {
    for (const { queue: name } of await presence.known()) {
      if (queues.has(name)) continue;
      const queue = server.queue(name, () => undefined);
      queues.set(name, queue);
      // Its type knows queues on Redis only; it shows those on PostgreSQL as well.
      const shown: BaseAdapter = Reflect.construct(BullMQAdapter, [queue, { readOnlyMode: true }]);
      board.addQueue(shown);
    }
  };

  return {
    answer: async (request) => {
      if (request.method !== 'GET') return Response.json({ error: 'the board is for reading only' }, { status: 405 });
      await addQueues();
      const { body, status, headers } = await app.fetch(request);
      const answer = new Response(body, { status, headers });
      for (const [name, value] of Object.entries(HARDENED)) answer.headers.set(name, value);
      answer.headers.set('content-security-policy', POLICY);
      return answer;
    },
    close: async () => {
      await presence.close();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

async function loadPackages() {
  try {
    const [{ createBullBoard }, { BullMQAdapter }, { HonoAdapter }] = await Promise.all([
      import('@bull-board/api'),
      import('@bull-board/api/bullMQAdapter'),
      import('@bull-board/hono'),
    ]);
    return { createBullBoard, BullMQAdapter, HonoAdapter };
  } catch (cause) {
    throw new UserError(
      'the studio needs packages that are not installed to show a queue: npm install @bull-board/api @bull-board/hono',
      { cause },
    );
  }
}
