import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that a server which is away may keep a process from ending. */
const PATIENCE = 3_000;

/** A part of BullMQ that holds connections. */
interface Connection {
  close(): Promise<void>;
  disconnect(): Promise<void>;
}

/**
 * Closes connections in good order, or cuts them where the server does not answer.
 *
 * @param before - what is to be done before, as far as the server answers
 * @param patience - milliseconds for all of it
 */
export async function letGo(part: Connection, before?: Promise<unknown>, patience = PATIENCE): Promise<void> {
  const end = new AbortController();
  const inOrder = (async () => {
    await before?.catch(() => undefined);
    await part.close().catch(() => undefined);
    return true;
  })();
  const tooLate = sleep(patience, false, { signal: end.signal }).catch(() => false);
  const isClosed = await Promise.race([inOrder, tooLate]);
  end.abort();
  if (!isClosed) void part.disconnect().catch(() => undefined);
}
