import { z } from 'zod';
import { unusableServer } from '../../queue/check-server.js';
import type { QueueAddress } from '../../queue/queue-url.js';
import { redisPlace } from '../../queue/redis-options.js';
import { UserError } from '../../user-error.js';
import { parsePosition, type SourceRecord, type StreamSource } from './stream-source.js';

const positionSchema = z.strictObject({ redis: z.string() });

/** Entries that are asked for at a time, and milliseconds that one answer is waited for. */
const [ENTRIES, PATIENCE] = [1000, 500];

/**
 * The entries of a Redis stream: the fields of an entry are the columns of a row. While it is followed, a server that goes away is waited for.
 *
 * @param key - of the stream
 * @throws {@link UserError} if the server cannot be used
 */
export function redisSource(
  address: QueueAddress,
  key: string,
  { follow }: { readonly follow: boolean },
): StreamSource {
  const name = `${address.text}, ${key}`;
  return {
    name,
    records: async function* (position, signal) {
      let last = position === undefined ? '0-0' : parsePosition(positionSchema, position, name).redis;
      const client = await connect(address, follow);
      const giveUp = () => client.disconnect();
      signal.addEventListener('abort', giveUp);
      try {
        while (!signal.aborted) {
          const reply = await (follow
            ? client.xread('COUNT', ENTRIES, 'BLOCK', PATIENCE, 'STREAMS', key, last)
            : client.xread('COUNT', ENTRIES, 'STREAMS', key, last));
          const entries = reply?.[0]?.[1] ?? [];
          if (entries.length > 0) yield entries.map(([id, fields]) => recordOf(id, fields));
          else if (!follow) return;
          last = entries.at(-1)?.[0] ?? last;
        }
      } catch (error) {
        if (!signal.aborted) throw unusableServer('the source', address, error);
      } finally {
        signal.removeEventListener('abort', giveUp);
        client.disconnect();
      }
    },
  };
}

function recordOf(id: string, fields: readonly string[]): SourceRecord {
  const cells = Array.from({ length: fields.length / 2 }, (_, i) => [fields[2 * i] ?? '', fields[2 * i + 1]]);
  const position: z.output<typeof positionSchema> = { redis: id };
  return { row: Object.fromEntries(cells), name: `entry ${id}`, position: JSON.stringify(position) };
}

async function connect(address: QueueAddress, waits: boolean) {
  const { Redis } = await import('ioredis').catch((cause: unknown) => {
    throw new UserError('a Redis source needs a package that is not installed: npm install ioredis', { cause });
  });
  let isThere = false;
  const client = new Redis({
    ...redisPlace(address),
    lazyConnect: true,
    maxRetriesPerRequest: null,
    // A server that was there comes back; one that never was is a wrong address.
    retryStrategy: (times) => (isThere && waits ? Math.min(100 * times, 2000) : null),
  });
  let trouble: unknown;
  client.on('error', (error: unknown) => {
    trouble = error; // says more than that the connection is closed
  });
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    throw unusableServer('the source', address, trouble ?? error);
  }
  isThere = true;
  return client;
}
