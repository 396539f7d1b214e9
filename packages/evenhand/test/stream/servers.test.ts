import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { evenhand, type RunningCommand, start } from '../cli/evenhand.js';
import { POSTGRES, REDIS } from '../queue/servers.js';
import { temporaryFolder } from '../runs/examples.js';
import { twoClasses } from './streams.js';

const ROWS = twoClasses({ rows: 300, seed: 8, share: 0.3 }).map((row, id) => ({ id, ...row }));

const STREAM = [
  '--target',
  'class',
  '--id',
  'id',
  '--batch',
  '8',
  '--checkpoint-every',
  '20',
  '--log-every',
  '20',
  '--quiet',
];

/** What a file of the same rows is answered with. */
async function answersOfFile(folder: string): Promise<string> {
  await writeFile(join(folder, 'rows.ndjson'), ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const args = ['stream', 'rows.ndjson', '--folder', 'of-file', '--out', 'of-file.ndjson', ...STREAM];
  expect((await evenhand(args, { cwd: folder })).code).toBe(0);
  return readFile(join(folder, 'of-file.ndjson'), 'utf8');
}

async function answered(file: string, count: number, command: RunningCommand): Promise<void> {
  let isOver = false;
  void command.ended().then(() => {
    isOver = true;
  });
  while (((await readFile(file, 'utf8').catch(() => '')).split('\n').length ?? 0) <= count) {
    if (isOver) throw new Error(`the command ended early: ${command.stderr}`);
    await sleep(5);
  }
}

/** Follows a server while rows arrive, is killed, and goes on: the answers are those of a file. */
async function killedAndResumed(
  url: string,
  key: string,
  add: (rows: readonly (typeof ROWS)[number][]) => Promise<void>,
  ...more: readonly string[]
): Promise<void> {
  const folder = await temporaryFolder();
  const expected = await answersOfFile(folder);
  const args = ['stream', url, '--key', key, '--folder', 's', '--out', 'answers.ndjson', ...STREAM, ...more];
  const file = join(folder, 'answers.ndjson');
  await add(ROWS.slice(0, 150));
  const killed = start([...args, '--follow'], { cwd: folder });
  await answered(file, 150, killed);
  await add(ROWS.slice(150, 210));
  await answered(file, 210, killed);
  killed.kill('SIGKILL');
  await killed.ended();
  await add(ROWS.slice(210));
  const stopped = start([...args, '--follow'], { cwd: folder });
  await answered(file, 300, stopped);
  stopped.kill('SIGTERM');
  const { code, stderr } = await stopped.ended();
  expect([code, stderr.includes('password')]).toEqual([143, false]);
  // Nothing more has come: without --follow it ends at once.
  expect((await evenhand(args, { cwd: folder })).code).toBe(0);
  expect(await readFile(file, 'utf8')).toBe(expected);
  const { code: other, stderr: told } = await evenhand(['stream', 'rows.ndjson', '--folder', 's', ...STREAM], {
    cwd: folder,
  });
  expect([other, told]).toEqual([2, expect.stringContaining('was read from a source of another kind')]);
}

describe.skipIf(REDIS.missing !== undefined)(
  `a Redis stream as a source${REDIS.missing === undefined ? '' : ` (${REDIS.missing})`}`,
  () => {
    it('fault 50: killed while it is followed, every entry is answered once', async () => {
      const { url } = await REDIS.start();
      const client = new Redis(url);
      try {
        await killedAndResumed(url, 'events', async (rows) => {
          for (const row of rows)
            await client.xadd('events', '*', ...Object.entries(row).flatMap(([name, value]) => [name, String(value)]));
        });
      } finally {
        client.disconnect();
      }
    }, 240_000);
  },
);

describe.skipIf(POSTGRES.missing !== undefined)(
  `a PostgreSQL table as a source${POSTGRES.missing === undefined ? '' : ` (${POSTGRES.missing})`}`,
  () => {
    it('fault 50: killed while it is followed, every row is answered once', async () => {
      const { url } = await POSTGRES.start();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        await client.query('CREATE TABLE "odd ""events" (place bigserial, id int, x float8, y float8, class text)');
        const add = async (rows: readonly (typeof ROWS)[number][]) => {
          for (const { id, x, y, class: name } of rows) {
            await client.query('INSERT INTO "odd ""events" (id, x, y, class) VALUES ($1, $2, $3, $4)', [
              id,
              x,
              y,
              name,
            ]);
          }
        };
        await killedAndResumed(url, 'odd "events', add, '--position', 'place');
      } finally {
        await client.end();
      }
    }, 240_000);
  },
);

describe('servers that cannot be used', () => {
  it('are refused by address, without a password', async () => {
    const folder = await temporaryFolder();
    const refused = async (url: string, message: string, ...more: string[]) => {
      const { code, stderr } = await evenhand(['stream', url, '--folder', 's', '--target', 'class', ...more], {
        cwd: folder,
      });
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(stderr).not.toContain('secret');
    };
    await refused('redis://127.0.0.1:1', '--key is missing');
    await refused(
      'redis://:secret@127.0.0.1:1',
      'the source redis://127.0.0.1:1 cannot be used: no server answers there',
      '--key',
      'k',
    );
    await refused(
      'postgres://me:secret@127.0.0.1:1/d',
      'the source postgres://127.0.0.1:1/d cannot be used: no server',
      '--key',
      'k',
    );
    await refused('redis://127.0.0.1:1', '--position is not for Redis', '--key', 'k', '--position', 'id');
  }, 240_000);
});
