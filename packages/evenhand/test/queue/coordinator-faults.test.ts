import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@evenhand/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CommandOptions, type Ending, type RunningCommand, start as startCommand } from '../cli/evenhand.js';
import { temporaryFolder } from '../runs/examples.js';
import { filesOf, writeTable } from '../training/problem.js';
import { LIVELY, machine, trialLines } from './problem.js';
import { POSTGRES, REDIS, type TestServer } from './servers.js';

/** Runs a command to its end, or to that of the test: a coordinator waits for its server. */
function evenhand(args: readonly string[], options: CommandOptions): Promise<Ending> {
  return startCommand(args, options).ended();
}

/** What a sweep must come to, wherever it was trained. */
function outcomeOf(sweep: string): Promise<string[]> {
  return Promise.all(['sweep.json', 'trials.jsonl', 'best.json'].map((name) => readFile(join(sweep, name), 'utf8')));
}

/** A sweep of which some trials go on to a second rung, as words of a command. */
function sweepWords(source: string, trials: number): string[] {
  return [
    ...['sweep', source, '--target', 'class', '--model', 'mlp', '--set', 'model.hidden=[4]'],
    ...['--epochs', '9', '--batch-size', '64', '--sampler', 'random', '--trials', String(trials), '--draws', '1'],
    ...['--search', 'optimizer.learningRate=log:1e-3..0.3', '--quiet'],
  ];
}

describe.each([REDIS, POSTGRES])('on $name', ({ missing, start }) => {
  let server: TestServer;
  beforeAll(async () => {
    if (missing === undefined) server = await start();
  });

  it('a sweep comes to the same bytes as on local processes, however many workers there are', async (ctx) => {
    ctx.skip(missing !== undefined, missing);
    const cwd = await temporaryFolder();
    const words = sweepWords(await writeTable(cwd), 4);
    const here = await machine();
    const env = { EVENHAND_DATA: join(cwd, 'cache'), EVENHAND_QUEUE: server.url };
    const workers = [here.worker(server.url)];
    const one = await evenhand([...words, '--folder', 'one'], { cwd, env });
    workers.push(here.worker(server.url), here.worker(server.url));
    const three = await evenhand([...words, '--folder', 'three', '--store', join(cwd, 'store')], { cwd, env });
    const local = await evenhand([...words, '--folder', 'local'], { cwd });
    expect([one, three, local].map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']));
    const expected = await outcomeOf(join(cwd, 'local'));
    expect(await outcomeOf(join(cwd, 'one'))).toEqual(expected);
    expect(await outcomeOf(join(cwd, 'three'))).toEqual(expected);
    expect(await filesOf(join(cwd, 'one'))).toEqual(await filesOf(join(cwd, 'local')));
    expect(workers.flatMap(trialLines).filter((line) => !line.includes(': done'))).toEqual([]);
  });

  it('fault 45: a coordinator that is killed goes on when it is started again, and no finished trial is trained twice', async (ctx) => {
    ctx.skip(missing !== undefined, missing);
    const cwd = await temporaryFolder();
    const words = sweepWords(await writeTable(cwd), 4);
    const worker = (await machine()).worker(server.url);
    const env = { EVENHAND_DATA: join(cwd, 'cache') };
    const coordinator = startCommand([...words, '--queue', server.url, '--folder', 'killed'], { cwd, env });
    await worker.said(/: done[\s\S]*: done/);
    coordinator.kill('SIGKILL');
    await coordinator.ended();
    const again = await evenhand(['sweep', '--resume', 'killed', '--queue', server.url], { cwd, env });
    expect(again.code).toBe(0);
    await evenhand([...words, '--folder', 'local'], { cwd });
    expect(await outcomeOf(join(cwd, 'killed'))).toEqual(await outcomeOf(join(cwd, 'local')));
    const done = trialLines(worker).map((line) => line.replace(/, [^,]*$/, ''));
    expect(new Set(done).size).toBe(done.length);
  });
});

/** By default a few; `EVENHAND_KILLS=40` for a long night. */
const KILLS = Number(process.env.EVENHAND_KILLS ?? 3);

it(
  'faults 42 and 45: kills of workers and of the coordinator at random moments change no byte',
  async (ctx) => {
    ctx.skip(REDIS.missing !== undefined, REDIS.missing);
    const server = await REDIS.start();
    const cwd = await temporaryFolder();
    const words = [...sweepWords(await writeTable(cwd), KILLS + 4), '--folder', 'killed', '--queue', server.url];
    const here = await machine();
    const env = { EVENHAND_DATA: join(cwd, 'cache') };
    const random = seededRandom(20, 'kills');
    const newWorker = () => here.worker(server.url, LIVELY);
    const newCoordinator = () => startCommand(words, { cwd, env });
    const workers = [newWorker(), newWorker()];
    let coordinator: RunningCommand = newCoordinator();
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(500 + 2_000 * random());
      if (random() < 0.35) {
        coordinator.kill('SIGKILL');
        await coordinator.ended();
        coordinator = newCoordinator();
      } else {
        const which = Math.floor(random() * workers.length);
        workers[which]?.kill('SIGKILL');
        workers[which] = newWorker();
      }
    }
    const { code, stderr } = await coordinator.ended();
    expect([code, stderr]).toEqual([0, '']);
    const local = words.map((word) => (word === 'killed' ? 'local' : word)).slice(0, -2);
    await evenhand(local, { cwd });
    expect(await outcomeOf(join(cwd, 'killed'))).toEqual(await outcomeOf(join(cwd, 'local')));
  },
  60_000 + 10_000 * KILLS,
);
