import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import { processState } from '../../src/files/process-state.js';
import { openRun } from '../../src/runs/run.js';
import { train } from '../../src/training/train.js';
import { Child } from '../runs/child-process.js';
import { temporaryFolder } from '../runs/examples.js';
import { resultsOf, tableConfig, writeTable } from '../training/problem.js';

/** Carries out trials one after the other in one process, and says how each ended. */
const POOL = `
  import { writeSync } from 'node:fs';
  const say = (text) => writeSync(1, text + '\\n');
  const { LocalProcesses } = await import(dist + 'trials/local-processes.js');
  const pool = new LocalProcesses(1);
  for (const job of JSON.parse(process.argv[1])) {
    try {
      await pool.carryOut(job, ({ kind, metrics }) => {
        if (kind === 'epoch') say('epoch ' + (metrics.epoch + 1) + '/' + job.config.epochs);
      });
      say('done');
    } catch (error) {
      say(error.name + ': ' + error.message);
    }
  }
  pool.close();
`;

function carryOut(...jobs: readonly object[]): Child {
  return new Child(POOL, [JSON.stringify(jobs)]);
}

/** The process that trains a run: it holds the lock. */
async function trainerOf(run: string): Promise<number> {
  return JSON.parse(await readFile(join(run, 'lock'), 'utf8')).pid;
}

it('fault 4: a trial that is paused and promoted comes to the same bytes as a run without a pause, and meets the test set last', async () => {
  const folder = await temporaryFolder();
  const config = parseConfig(tableConfig(await writeTable(folder)));
  const run = join(folder, 'job');
  const paused = await carryOut({ folder: run, config, until: 1 }, { folder: run, config, until: 3 }).ended();
  expect(paused.output).toBe('epoch 1/4\ndone\nepoch 2/4\nepoch 3/4\ndone\n');
  expect(existsSync(join(run, 'evaluation.json'))).toBe(false);
  const { output } = await carryOut({ folder: run, config }).ended();
  expect(output).toBe('epoch 4/4\ndone\n');
  await train(config, { folder: join(folder, 'whole') });
  expect(await resultsOf(run)).toEqual(await resultsOf(join(folder, 'whole')));
});

it('fault 14: a trial that diverges, and one that is refused, say so and leave the process to the next', async () => {
  const folder = await temporaryFolder();
  const source = await writeTable(folder);
  const config = (options: object) => parseConfig(tableConfig(source, { epochs: 1, ...options }));
  const { output } = await carryOut(
    { folder: join(folder, 'a'), config: config({ optimizer: { name: 'sgd', learningRate: 1e38 } }) },
    { folder: join(folder, 'b'), config: config({ data: { source, target: 'klass' } }) },
    { folder: join(folder, 'c'), config: config({}) },
  ).ended();
  expect(output).toMatch(/^DivergedError: .+\n(.*\n)*UserError: .*"klass".*\n(.*\n)*epoch 1\/1\ndone\n$/);
});

it('a process that is killed is named with its run, and another one takes its place', async () => {
  const folder = await temporaryFolder();
  const config = parseConfig(tableConfig(await writeTable(folder), { epochs: 300 }));
  const run = join(folder, 'killed');
  const pool = carryOut({ folder: run, config }, { folder: join(folder, 'next'), config: { ...config, epochs: 1 } });
  await pool.said('epoch 3/');
  process.kill(await trainerOf(run), 'SIGKILL');
  const { output } = await pool.ended();
  expect(output).toContain(`UserError: the process that trained ${run} ended by SIGKILL; start again`);
  expect(output).toContain('epoch 1/1\ndone\n');
});

/** Kills the process of the first trial when it has nothing to do any more, and goes on with the second one. */
const IDLE = `
  import { readFileSync, writeSync } from 'node:fs';
  import { setTimeout } from 'node:timers/promises';
  const { LocalProcesses } = await import(dist + 'trials/local-processes.js');
  const [first, second] = JSON.parse(process.argv[1]);
  const pool = new LocalProcesses(1);
  let pid;
  await pool.carryOut(first, ({ kind }) => {
    if (kind === 'epoch') pid ??= JSON.parse(readFileSync(first.folder + '/lock', 'utf8')).pid;
  });
  process.kill(pid, 'SIGKILL');
  const isAlive = () => { try { return process.kill(pid, 0); } catch { return false; } };
  while (isAlive()) await setTimeout(10);
  await setTimeout(50); // its end is heard of
  await pool.carryOut(second, () => undefined);
  writeSync(1, 'both are done\\n');
  pool.close();
`;

it('a process that is killed while it has nothing to do is replaced', async () => {
  const folder = await temporaryFolder();
  const config = parseConfig(tableConfig(await writeTable(folder), { epochs: 2 }));
  const jobs = ['first', 'second'].map((name) => ({ folder: join(folder, name), config }));
  const { output } = await new Child(IDLE, [JSON.stringify(jobs)]).ended();
  expect(output).toBe('both are done\n');
});

it('processes do not outlive the one that started them', async () => {
  const folder = await temporaryFolder();
  const config = parseConfig(tableConfig(await writeTable(folder), { epochs: 300 }));
  const run = join(folder, 'run');
  const pool = carryOut({ folder: run, config });
  await pool.said('epoch 2/');
  const trainer = await trainerOf(run);
  expect(processState(trainer).alive).toBe(true);
  pool.kill('SIGKILL');
  await pool.ended();
  await expect.poll(() => processState(trainer).alive, { timeout: 20_000 }).toBe(false);
  expect((await (await openRun(run)).metrics()).length).toBeGreaterThan(1);
});
