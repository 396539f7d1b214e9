// Load of a queue without training: workers are processes that only sleep. Needs a Redis or PostgreSQL.
//   node packages/evenhand/scripts/queue-load.mjs redis://127.0.0.1:6379 --workers 64 --trials 5000 --sleep 200
// Prints JSON: trials that were lost or doubled, CPU time of the coordinator per trial, its memory over time.
import { fork } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const dist = new URL('../dist/', import.meta.url);
const load = (name) => import(new URL(`${name}.js`, dist).href);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: 'string', default: '64' },
    trials: { type: 'string', default: '5000' },
    sleep: { type: 'string', default: '200' },
    worker: { type: 'string' },
    queue: { type: 'string', default: '' },
    folder: { type: 'string', default: '' },
  },
});
const [url = 'redis://127.0.0.1:6379'] = positionals;

if (values.worker === undefined) await coordinate();
else await work();

async function coordinate() {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-load-'));
  process.env.EVENHAND_DATA = join(folder, 'data');
  const [{ QueueExecutor }, { parseConfig }, { numericsHere, queueName }] = await Promise.all([
    load('queue/queue-executor'),
    load('config/parse'),
    load('queue/numerics'),
  ]);
  const source = join(folder, 'table.csv');
  await writeFile(source, `x,class\n${Array.from({ length: 40 }, (_, i) => `${i % 7},${'ab'[i % 2]}\n`).join('')}`);
  const runs = join(folder, 'runs');
  const executor = await QueueExecutor.open({ url, folder: runs });
  const queue = queueName(await numericsHere(), false);
  const workers = Array.from({ length: Number(values.workers) }, (_, i) =>
    fork(fileURLToPath(import.meta.url), [
      url,
      '--worker',
      String(i),
      '--queue',
      queue,
      '--folder',
      folder,
      '--sleep',
      values.sleep,
    ]),
  );
  const trials = Number(values.trials);
  const config = parseConfig({ data: { source, target: 'class' }, model: { name: 'mlp' }, threads: 1 });
  const memory = [];
  const sampler = setInterval(() => memory.push(Math.round(process.memoryUsage().rss / 1e6)), 5_000);
  const [cpuBefore, begun] = [process.cpuUsage(), performance.now()];
  const waiting = Array.from({ length: trials }, (_, seed) => seed).values();
  const workThrough = async () => {
    for (const seed of waiting)
      await executor.carryOut({ folder: join(runs, String(seed)), config: { ...config, seed } }, () => undefined);
  };
  await Promise.all(Array.from({ length: executor.atOnce }, workThrough));
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - begun) / 1000;
  clearInterval(sampler);
  const done = await readdir(runs);
  const wrong = [];
  for (let seed = 0; seed < trials; seed++) {
    const text = await readFile(join(runs, String(seed), 'config.json'), 'utf8').catch(() => undefined);
    if (text !== String(seed)) wrong.push(seed);
  }
  await executor.close();
  const carriedOut = await Promise.all(
    workers.map(
      (worker) =>
        new Promise((resolve) => {
          worker.once('message', resolve);
          worker.send('end');
        }),
    ),
  );
  await rm(folder, { recursive: true, force: true });
  console.log(
    JSON.stringify({
      trials,
      workers: workers.length,
      seconds: Number(seconds.toFixed(1)),
      lost: trials - done.length + wrong.length,
      carriedOut: carriedOut.reduce((sum, count) => sum + count, 0),
      coordinatorMsPerTrial: Number(((user + system) / 1000 / trials).toFixed(2)),
      coordinatorMegabytes: memory,
    }),
  );
  process.exit(0);
}

async function work() {
  const [{ WorkerSession }, { QueueServer }, { Presence }, { DataCache }] = await Promise.all([
    load('queue/worker-session'),
    load('queue/queue-server'),
    load('queue/presence'),
    load('store/data-cache'),
  ]);
  const server = await QueueServer.connect(url);
  const folder = join(values.folder, `worker-${values.worker}`);
  let count = 0;
  const processes = {
    atOnce: 1,
    carryOut: async ({ folder: run, config }) => {
      await mkdir(run, { recursive: true });
      await writeFile(join(run, 'config.json'), String(config.seed));
      await sleep(Number(values.sleep) * (0.5 + Math.random()));
      count++;
    },
    stop: () => undefined,
    close: async () => undefined,
  };
  const tools = {
    processes,
    cache: new DataCache(join(values.folder, 'cache'), 1e9),
    folder,
    uploadSeconds: 60,
    worker: `load-${values.worker}`,
    numerics: 'load',
  };
  const session = new WorkerSession({
    server,
    presence: new Presence(server),
    queue: values.queue,
    tools,
    atOnce: 1,
    lockSeconds: 60,
    patienceSeconds: 60,
    onLine: () => undefined,
  });
  process.on('message', async () => {
    await session.finish();
    process.send(count, () => process.exit(0));
  });
}
