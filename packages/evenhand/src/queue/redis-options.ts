import type { QueueAddress } from './queue-url.js';

/** Where a Redis is, and who asks. */
interface RedisPlace {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  readonly db?: number;
  readonly tls?: object;
}

/** What ioredis is told of an address. */
export function redisPlace({ host, port, secret }: QueueAddress): RedisPlace {
  const database = secret.pathname.replace('/', '');
  return {
    host,
    port,
    ...(secret.username === '' ? {} : { username: decodeURIComponent(secret.username) }),
    ...(secret.password === '' ? {} : { password: decodeURIComponent(secret.password) }),
    ...(database === '' ? {} : { db: Number(database) }),
    ...(secret.protocol === 'rediss:' ? { tls: {} } : {}),
  };
}
