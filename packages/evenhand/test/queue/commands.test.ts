import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it, type TestContext } from 'vitest';
import { numericsHere, queueName } from '../../src/queue/numerics.js';
import { Presence } from '../../src/queue/presence.js';
import { QueueServer } from '../../src/queue/queue-server.js';
import { openRun } from '../../src/runs/run.js';
import { evenhand, evenhandJson, SMALL } from '../cli/evenhand.js';
import { Child } from '../runs/child-process.js';
import { temporaryFolder } from '../runs/examples.js';
import { writeTable } from '../training/problem.js';
import { coordinate, machine, slowProblem } from './problem.js';
import { REDIS, type TestServer } from './servers.js';

let server: TestServer;
beforeAll(async () => {
  if (REDIS.missing === undefined) server = await REDIS.start();
});

function needRedis(ctx: TestContext): void {
  ctx.skip(REDIS.missing !== undefined, REDIS.missing);
}

it('what cannot be read where the sweep is started, or cannot be trained, is one message and leaves nothing', async (ctx) => {
  needRedis(ctx);
  const cwd = await temporaryFolder();
  const env = { EVENHAND_DATA: join(cwd, 'cache'), EVENHAND_QUEUE: server.url };
  const source = await writeTable(cwd);
  const words = (...more: string[]) => ['sweep', source, '--search', 'batchSize=8,16', '--folder', 'sweep', ...more];
  const unread = await evenhand(words('--target', 'klass'), { cwd, env });
  expect([unread.code, unread.stderr]).toEqual([2, expect.stringMatching(/"klass"/)]);
  (await machine()).worker(server.url);
  const untrained = await evenhand(words('--target', 'class', '--objective', '{"costs": {"nobody": {"plain": 1}}}'), {
    cwd,
    env,
  });
  expect([untrained.code, untrained.stderr]).toEqual([2, expect.stringMatching(/could not be trained: .*nobody/)]);
  expect(existsSync(join(cwd, 'sweep'))).toBe(false);
});

it('options that belong to a queue are refused without one, and a queue for a single run', async () => {
  const cwd = await temporaryFolder();
  const source = await writeTable(cwd);
  const train = (...words: string[]) => evenhand(['train', source, '--target', 'class', ...SMALL, ...words], { cwd });
  expect(await train('--queue', 'redis://127.0.0.1:1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--queue is for several runs, and a single one is trained here'),
  });
  expect(await train('--seeds', '2', '--store', '/mnt')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--store is for trials that go to a queue'),
  });
  expect(await train('--seeds', '2', '--queue', 'redis://127.0.0.1:1', '--serve', ':x')).toMatchObject({ code: 2 });
});

it('fault 14: a trial that diverges on a worker is a result, with its run', async (ctx) => {
  needRedis(ctx);
  const { folder, config } = await slowProblem(1);
  (await machine()).worker(server.url);
  const diverging = { ...config, optimizer: { name: 'sgd' as const, learningRate: 1e38 } };
  const [result] = await coordinate({ url: server.url, folder: join(folder, 'runs'), config: diverging });
  expect(result).toMatchObject({
    status: 'diverged',
    error: { message: expect.stringContaining('training diverged in epoch 1') },
  });
  expect((await openRun(join(folder, 'runs', 'seed-0'))).config.epochs).toBe(1);
});

it('two trials with the same values are two runs', async (ctx) => {
  needRedis(ctx);
  const { folder, config } = await slowProblem(1);
  (await machine()).worker(server.url);
  const results = await coordinate({ url: server.url, folder: join(folder, 'runs'), config, keys: ['a', 'b'] });
  expect(results.map(({ status, trial }) => [trial.key, status])).toEqual([
    ['a', 'done'],
    ['b', 'done'],
  ]);
});

it('queue status shows a trial that failed and why, retry puts it back, drain removes it; --once exits with 2 for it', async (ctx) => {
  needRedis(ctx);
  const own = await REDIS.start();
  const cwd = await temporaryFolder();
  const numerics = await numericsHere();
  const name = queueName(numerics, false);
  const connected = await QueueServer.connect(own.url);
  const presence = new Presence(connected);
  await presence.announce({
    kind: 'coordinator',
    id: 'me',
    host: 'here',
    pid: 1,
    queue: name,
    mixed: false,
    numerics,
    about: ['runs'],
  });
  const queue = connected.queue(name, () => undefined);
  const data = { hash: 'none', files: { manifest: '0'.repeat(64), path: 'x.csv' } };
  const store = { kind: 'file' as const, folder: join(cwd, 'store') };
  const job = {
    name: 'broken',
    owner: 'me',
    store,
    config: { epochs: 'many' },
    override: false,
    importance: true,
    gitCommit: null,
    data,
  };
  await queue.add('broken', job, { jobId: 'me-broken' });
  const once = await (await machine()).worker(own.url, ['--once']).ended();
  expect([once.code, once.stderr]).toEqual([2, expect.stringMatching(/^broken: failed: the trial broken.*epochs/m)]);
  const status = () => evenhandJson(['queue', 'status', '--queue', own.url], { cwd });
  expect(await status()).toMatchObject({
    queues: [
      { name, waiting: 0, failed: 1, reasons: [{ trial: 'broken', reason: expect.stringContaining('epochs') }] },
    ],
    coordinators: [{ host: 'here', about: ['runs'] }],
    workers: [],
  });
  expect(JSON.stringify(await status())).not.toContain('token');
  expect(await evenhandJson(['queue', 'retry', '--queue', own.url], { cwd })).toEqual({ retried: 1 });
  expect(await status()).toMatchObject({ queues: [{ waiting: 1, failed: 0 }] });
  expect(await evenhandJson(['queue', 'drain', '--queue', own.url], { cwd })).toEqual({ removed: 1 });
  expect(await status()).toMatchObject({ queues: [{ waiting: 0, failed: 0 }] });
  await queue.close();
  await presence.close();
});

/** A worker that is of another numerics class, as far as it says. */
const OTHER_CLASS = `
  const [url, folder] = process.argv.slice(1);
  const [{ WorkerSession }, { QueueServer }, { Presence }, { numericsHere, queueName }, { LocalProcesses }, { DataCache }] =
    await Promise.all(
      ['queue/worker-session', 'queue/queue-server', 'queue/presence', 'queue/numerics', 'trials/local-processes', 'store/data-cache']
        .map((name) => import(dist + name + '.js')),
    );
  const server = await QueueServer.connect(url);
  const tools = {
    processes: new LocalProcesses(1), cache: new DataCache(folder + '/cache', 1e9), folder: folder + '/runs',
    uploadSeconds: 60, worker: 'other:1', numerics: 'another',
  };
  new WorkerSession({
    server, presence: new Presence(server), queue: queueName(await numericsHere(), true), tools,
    atOnce: 1, lockSeconds: 60, patienceSeconds: 60, onLine: (line) => console.log(line),
  });
`;

it('fault 47: with --mixed, machines of several classes work together, and the result says so', async (ctx) => {
  needRedis(ctx);
  const own = await REDIS.start();
  const cwd = await temporaryFolder();
  const source = await writeTable(cwd);
  const here = await machine();
  const wrong = here.worker(own.url, []);
  const words = ['train', source, '--target', 'class', ...SMALL.filter((word) => word !== '--quiet'), '--seeds', '4'];
  const trained = evenhand([...words, '--run', 'runs', '--queue', own.url, '--mixed'], {
    cwd,
    env: { EVENHAND_DATA: join(cwd, 'cache') },
  });
  expect(await wrong.ended()).toMatchObject({ code: 2, stderr: expect.stringContaining('start it with --mixed') });
  const other = new Child(OTHER_CLASS, [own.url, await temporaryFolder()]);
  await other.said(': done');
  here.worker(own.url, ['--mixed']);
  other.kill('SIGTERM');
  const { code, stderr } = await trained;
  expect(code).toBe(0);
  expect(stderr).toMatch(/note: the runs were trained on machines of 2 numerics classes \([0-9a-f]{12}, another\)/);
});

it('says what to install where the packages of a queue are missing', async () => {
  const cwd = await temporaryFolder();
  // Packages that cannot be resolved are as good as missing.
  const loader = join(cwd, 'without.mjs');
  await writeFile(
    loader,
    `import { register } from 'node:module';
     register('data:text/javascript,' + encodeURIComponent(\`export async function resolve(name, context, next) {
       if (name === 'bullmq' || name === 'ioredis' || name === 'pg') throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
       return next(name, context);
     }\`));`,
  );
  const env = { NODE_OPTIONS: `--import ${new URL(loader, 'file://').href}` };
  for (const [url, driver] of [
    ['redis://host', 'ioredis'],
    ['postgres://host/db', 'pg'],
  ] as const) {
    const { code, stderr } = await evenhand(['worker', '--queue', url], { cwd, env });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`--queue needs packages that are not installed: npm install bullmq ${driver}`),
    ]);
  }
});
