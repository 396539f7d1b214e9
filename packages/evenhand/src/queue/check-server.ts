import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { type QueueAddress, withoutSecrets } from './queue-url.js';
import { redisPlace } from './redis-options.js';

/** Milliseconds until a server that does not answer is given up. */
const PATIENCE = 10_000;

const OLDEST_REDIS = [6, 2] as const;
const OLDEST_POSTGRES = 13;

/**
 * Looks at a Redis.
 *
 * @throws {@link UserError} if it is not there, refuses, is too old, or may forget what it holds
 */
export async function checkRedis(address: QueueAddress): Promise<void> {
  const { Redis } = await import('ioredis');
  const client = new Redis({
    ...redisPlace(address),
    lazyConnect: true,
    connectTimeout: PATIENCE,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: () => null,
  });
  let trouble: unknown;
  client.on('error', (error: unknown) => {
    trouble = error; // says more than that the connection is closed
  });
  try {
    await client.connect();
    const info = await client.info();
    refuseOldRedis(address, fieldOf(info, 'redis_version'));
    refuseEviction(address, fieldOf(info, 'maxmemory_policy'));
  } catch (error) {
    throw error instanceof UserError ? error : unfit(address, trouble ?? error);
  } finally {
    client.disconnect();
  }
}

function fieldOf(info: string, name: string): string {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
}

function refuseOldRedis({ text }: QueueAddress, version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_REDIS;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new UserError(`${text} is Redis ${version}; expected ${OLDEST_REDIS.join('.')} or newer`);
}

function refuseEviction({ text }: QueueAddress, policy: string): void {
  if (policy === 'noeviction') return;
  throw new UserError(
    `${text} removes keys when its memory is full (maxmemory-policy is ${policy}), and trials with them; expected noeviction: ` +
      'redis-cli config set maxmemory-policy noeviction',
  );
}

/**
 * Looks at a PostgreSQL.
 *
 * @throws {@link UserError} if it is not there, refuses, or is too old
 */
export async function checkPostgres(address: QueueAddress): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: address.secret.href, connectionTimeoutMillis: PATIENCE });
  client.on('error', () => undefined); // said by whatever is waited for
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
    if (!(version >= OLDEST_POSTGRES)) {
      throw new UserError(`${address.text} is PostgreSQL ${version}; expected ${OLDEST_POSTGRES} or newer`);
    }
  } catch (error) {
    throw error instanceof UserError ? error : unfit(address, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What servers and systems say, in plain words. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/WRONGPASS|invalid (username-)?password|password authentication failed|28P01/i, 'user or password is wrong'],
  [
    /NOAUTH|no password|SASL|authentication required/i,
    'it wants a password: redis://:password@host or postgres://user:password@host',
  ],
  [/ECONNREFUSED/, 'no server answers there. Start it, or correct the address'],
  [/ENOTFOUND|EAI_AGAIN/, 'there is no machine of this name'],
  [/ETIMEDOUT|timeout/i, 'it does not answer in time. A firewall may be in between'],
  [/database ".*" does not exist/, 'the database is not there; make it with createdb'],
  [/DB index is out of range/, 'it has no database of this number'],
];

function unfit(address: QueueAddress, error: unknown): UserError {
  return unusableServer('the queue at', address, error);
}

/**
 * Why a server cannot be used, in plain words.
 *
 * @param what - what a message calls it, in front of its address
 */
export function unusableServer(what: string, address: QueueAddress, error: unknown): UserError {
  const nested = error instanceof AggregateError ? error.errors.map(errorMessage).join(', ') : errorMessage(error);
  const message = withoutSecrets(nested, address);
  const reason = REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? message;
  return new UserError(`${what} ${address.text} cannot be used: ${reason}`);
}
