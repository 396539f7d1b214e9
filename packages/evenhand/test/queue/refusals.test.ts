import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../src/index.js';
import { QueueServer } from '../../src/queue/queue-server.js';
import { evenhand } from '../cli/evenhand.js';
import { temporaryFolder } from '../runs/examples.js';
import { freePort, POSTGRES, REDIS, startPostgres, startRedis } from './servers.js';

/** What is said where a queue cannot be used. */
async function refusalOf(url: string): Promise<string> {
  const error = await QueueServer.connect(url).catch((thrown: unknown) => thrown);
  if (!(error instanceof UserError)) throw new Error(`expected a UserError; received ${error}`);
  return error.message;
}

describe('an address that cannot be', () => {
  it.each([
    ['nonsense', '--queue is not an address; expected redis://host:6379 or postgres://user@host/database'],
    ['mysql://host/db', '--queue begins with mysql://; expected redis://host:6379 or postgres://user@host/database'],
    ['redis://host/shop', '--queue names the database "shop"; expected a number, such as redis://host:6379/0'],
  ])('%s', async (url, message) => {
    expect(await refusalOf(url)).toBe(message);
  });

  it('is never repeated with its password', async () => {
    const port = await freePort();
    for (const url of [
      `redis://:secret@127.0.0.1:${port}`,
      `postgres://me:secret@127.0.0.1:${port}/evenhand`,
      'http://:secret@x',
    ])
      expect(await refusalOf(url)).not.toContain('secret');
  });
});

it.each(['redis', 'postgres'])('where no server is, %s says so at once', async (kind) => {
  const port = await freePort();
  expect(await refusalOf(`${kind}://127.0.0.1:${port}`)).toBe(
    `the queue at ${kind}://127.0.0.1:${port} cannot be used: no server answers there. Start it, or correct the address`,
  );
});

it('a worker without a queue, and one without a server, exit with 2', async () => {
  const cwd = await temporaryFolder();
  const without = await evenhand(['worker'], { cwd });
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--queue is missing')]);
  const url = `redis://127.0.0.1:${await freePort()}`;
  const alone = await evenhand(['worker', '--queue', url], { cwd });
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('no server answers there')]);
});

it('a Redis that removes keys when it is full is refused', async (ctx) => {
  ctx.skip(REDIS.missing !== undefined, REDIS.missing);
  const { url } = await startRedis(['--maxmemory-policy', 'allkeys-lru']);
  expect(await refusalOf(url)).toContain(
    '(maxmemory-policy is allkeys-lru), and trials with them; expected noeviction',
  );
});

it('a wrong password of a Redis is said to be wrong, and a missing one to be missing', async (ctx) => {
  ctx.skip(REDIS.missing !== undefined, REDIS.missing);
  const { url } = await startRedis(['--requirepass', 'correct']);
  expect(await refusalOf(url.replace('//', '//:wrong@'))).toMatch(/cannot be used: user or password is wrong$/);
  expect(await refusalOf(url)).toMatch(/cannot be used: it wants a password/);
  await QueueServer.connect(url.replace('//', '//:correct@'));
});

it('a wrong password of a PostgreSQL is said to be wrong, and so is a database that is not there', async (ctx) => {
  ctx.skip(POSTGRES.missing !== undefined, POSTGRES.missing);
  const { url } = await startPostgres('scram-sha-256');
  expect(await refusalOf(url.replace('evenhand@', 'evenhand:wrong@'))).toMatch(/user or password is wrong$/);
  const correct = url.replace('evenhand@', 'evenhand:correct@');
  expect(await refusalOf(correct.replace(/evenhand$/, 'nowhere'))).toMatch(
    /the database is not there; make it with createdb$/,
  );
  await QueueServer.connect(correct);
});

it('a PostgreSQL that is too old is refused', async () => {
  const server = createServer((socket) => socket.on('data', (bytes) => socket.write(oldPostgres(bytes))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  expect(await refusalOf(`postgres://evenhand@127.0.0.1:${port}/evenhand`)).toBe(
    `postgres://127.0.0.1:${port}/evenhand is PostgreSQL 12; expected 13 or newer`,
  );
  server.close();
});

/** What a PostgreSQL 12 would answer, as far as it is asked: messages are a letter, a length and a body. */
function oldPostgres(asked: Buffer): Buffer {
  const message = (letter: string, ...body: (number | string)[]) => {
    const bytes = Buffer.concat(
      body.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))),
    );
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length + 4);
    return Buffer.concat([Buffer.from(letter), length, bytes]);
  };
  const ready = message('Z', 'I');
  if (asked[0] === 0) return Buffer.concat([message('R', 0, 0, 0, 0), ready]); // anybody may enter
  if (asked.toString('latin1', 0, 1) !== 'Q') return Buffer.alloc(0);
  const column = ['server_version_num', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0];
  return Buffer.concat([
    message('T', 0, 1, ...column),
    message('D', 0, 1, 0, 0, 0, 6, '120022'),
    message('C', 'SHOW', 0),
    ready,
  ]);
}
