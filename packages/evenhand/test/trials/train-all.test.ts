import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openRun, resume, type Trial, type TrialEvent, train, trainAll } from 'evenhand';
import { expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import { FolderLock } from '../../src/files/folder-lock.js';
import { temporaryFolder } from '../runs/examples.js';
import { resultsOf, tableConfig, writeTable } from '../training/problem.js';

/** Trials of a small table, a folder for them, and what they have in common. */
async function problem() {
  const folder = await temporaryFolder();
  const config = tableConfig(await writeTable(folder), { epochs: 3 });
  const runs = join(folder, 'runs');
  const trial = (seed: number, options: object = {}) => ({
    key: `seeds/${seed}`,
    config: parseConfig({ ...config, seed, ...options }),
  });
  return { folder, runs, config, trial };
}

/** Keeps the kinds of events by trial; epochs with their number. */
function recorder() {
  const said: string[] = [];
  const onEvent = (event: TrialEvent) => {
    if (event.kind !== 'training') said.push(`${event.trial.key} ${event.kind}`);
    else if (event.event.kind === 'epoch') said.push(`${event.trial.key} epoch ${event.event.metrics.epoch}`);
  };
  return { said, onEvent };
}

it('trains every run to the bytes that it has when it is trained alone, and none twice', async () => {
  const { folder, runs, config, trial } = await problem();
  const trials = [trial(0), trial(1), trial(2)];
  const results = await trainAll(trials, { folder: runs, processes: 2 });
  expect(results.map(({ status, folder: path }) => [status, path])).toEqual(
    [0, 1, 2].map((seed) => ['done', join(runs, 'seeds', String(seed))]),
  );
  await train({ ...config, seed: 2 }, { folder: join(folder, 'alone') });
  expect(await resultsOf(join(runs, 'seeds/2'))).toEqual(await resultsOf(join(folder, 'alone')));

  const { said, onEvent } = recorder();
  await trainAll(trials, { folder: runs, processes: 2, onEvent });
  expect(said.sort()).toEqual(['seeds/0 ended', 'seeds/1 ended', 'seeds/2 ended']);
});

it('goes on from where a trial stopped, and tests it only when it is trained to its end', async () => {
  const { folder, runs, config, trial } = await problem();
  const { said, onEvent } = recorder();
  const upTo = (until?: number): Trial => ({ ...trial(0), ...(until === undefined ? {} : { until }) });
  for (const until of [1, 1, 2]) await trainAll([upTo(until)], { folder: runs, onEvent });
  expect(said.filter((line) => line.includes('epoch'))).toEqual(['seeds/0 epoch 0', 'seeds/0 epoch 1']);
  expect(existsSync(join(runs, 'seeds/0/evaluation.json'))).toBe(false);
  await trainAll([upTo()], { folder: runs });
  await train({ ...config, seed: 0 }, { folder: join(folder, 'alone') });
  expect(await resultsOf(join(runs, 'seeds/0'))).toEqual(await resultsOf(join(folder, 'alone')));
});

it('a trial that diverges or is refused stops no other, and says why', async () => {
  const { folder, runs, trial } = await problem();
  const source = join(folder, 'table.csv');
  await train(trial(3, { epochs: 1 }).config, { folder: join(runs, 'seeds/3') });
  const results = await trainAll(
    [
      trial(0, { optimizer: { name: 'sgd', learningRate: 1e38 } }),
      trial(1, { data: { source, target: 'klass' } }),
      trial(2),
      trial(3, { epochs: 2 }),
    ],
    { folder: runs, processes: 1 },
  );
  expect(results.map(({ status }) => status)).toEqual(['diverged', 'failed', 'done', 'failed']);
  const messages = results.map((result) => (result.status === 'done' ? '' : result.error.message));
  expect(messages[0]).toContain('training diverged in epoch 1');
  expect(messages[1]).toContain('"klass"');
  expect(messages[3]).toContain('holds a run of another configuration (epochs 1 there, 2 now)');
  expect(await (await openRun(join(runs, 'seeds/2'))).isComplete()).toBe(true);
});

it('stops at a checkpoint when it is told to, and goes on from there', async () => {
  const { folder, runs, config, trial } = await problem();
  const stop = new AbortController();
  const reason = new Error('enough');
  const trials = [trial(0, { epochs: 40 }), trial(1, { epochs: 40 })];
  const onEvent = (event: TrialEvent) => {
    if (event.kind === 'training' && event.event.kind === 'epoch') stop.abort(reason);
  };
  await expect(trainAll(trials, { folder: runs, processes: 1, onEvent, signal: stop.signal })).rejects.toBe(reason);
  const begun = await openRun(join(runs, 'seeds/0'));
  expect((await begun.checkpoint('last'))?.checkpoint.progress.epoch).toBeGreaterThan(0);
  expect(existsSync(join(runs, 'seeds/1'))).toBe(false);
  await resume(join(runs, 'seeds/0'));
  await train({ ...config, seed: 0, epochs: 40 }, { folder: join(folder, 'alone') });
  expect(await resultsOf(join(runs, 'seeds/0'))).toEqual(await resultsOf(join(folder, 'alone')));
});

it('waits for whoever is told of a result before it begins another in its place', async () => {
  const { runs, trial } = await problem();
  const said: string[] = [];
  await trainAll([trial(0, { epochs: 1 }), trial(1, { epochs: 1 })], {
    folder: runs,
    processes: 1,
    onEvent: (event) => {
      if (event.kind === 'begun') said.push(`${event.trial.key} begun`);
    },
    onResult: async ({ trial: { key } }) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      said.push(`${key} told`);
    },
  });
  expect(said).toEqual(['seeds/0 begun', 'seeds/0 told', 'seeds/1 begun', 'seeds/1 told']);
});

it('fault 40: refuses a folder that another process trains in, and two trials with one key', async () => {
  const { folder, trial } = await problem();
  const lock = FolderLock.acquire(folder);
  await expect(trainAll([trial(0)], { folder })).rejects.toThrow(`${folder} is in use by process ${process.pid}`);
  lock.release();
  await expect(trainAll([trial(0), trial(0)], { folder })).rejects.toThrow(
    'two trials have the key "seeds/0"; expected another one for each, as it names the run folder',
  );
});
