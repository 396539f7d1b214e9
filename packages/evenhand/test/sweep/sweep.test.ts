import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@evenhand/engine';
import { expect, it } from 'vitest';
import { FolderLock } from '../../src/files/folder-lock.js';
import { Child, type Ending } from '../runs/child-process.js';
import { temporaryFolder } from '../runs/examples.js';
import { tableConfig, writeTable } from '../training/problem.js';

/** Carries out a sweep and says what came of it. */
const SWEEP = `
  import { writeSync } from 'node:fs';
  const { sweep } = await import(dist + 'sweep/sweep.js');
  const [definition, options] = process.argv.slice(1).map((text) => JSON.parse(text));
  try {
    const { trials } = await sweep(definition, options);
    writeSync(1, JSON.stringify(trials));
  } catch (error) {
    writeSync(1, error.name + ': ' + error.message);
  }
`;

function start(definition: object, folder: string, processes = 2): Child {
  return new Child(SWEEP, [JSON.stringify(definition), JSON.stringify({ folder, processes })]);
}

function carryOut(definition: object, folder: string, processes = 2): Promise<Ending> {
  return start(definition, folder, processes).ended();
}

/** Trials of which some go on to a second rung. */
async function smallSweep(folder: string) {
  const source = await writeTable(folder);
  const config = tableConfig(source, { epochs: 9, batchSize: 64, model: { name: 'mlp', hidden: [4] } });
  const search = { 'optimizer.learningRate': { from: 1e-3, to: 0.3, scale: 'log' }, 'model.dropout': [0, 0.2] };
  return { config, search, sampler: 'random', trials: 4, draws: 2, pruning: { minEpochs: 3 } };
}

/** What a sweep must come to, whatever happened on the way. */
async function outcomeOf(sweep: string): Promise<string[]> {
  return Promise.all(['sweep.json', 'trials.jsonl', 'best.json'].map((name) => readFile(join(sweep, name), 'utf8')));
}

it('faults 4 and 5: killed at random moments, and with another number of processes, it comes to the same bytes', async () => {
  const folder = await temporaryFolder();
  const definition = await smallSweep(folder);
  const [whole, killed] = [join(folder, 'whole'), join(folder, 'killed')];
  const reference = await carryOut(definition, whole, 2);
  const random = seededRandom(4, 'moments');
  for (let kills = 0; kills < 3; kills++) {
    const child = start(definition, killed, 1);
    await progress(killed, Math.ceil(5 * random()));
    await sleep(20 * random());
    child.kill('SIGKILL');
    expect((await child.ended()).output).toBe('');
  }
  expect((await carryOut(definition, killed, 1)).output).toBe(reference.output);
  expect(await outcomeOf(killed)).toEqual(await outcomeOf(whole));
  const lines = (await readFile(join(whole, 'trials.jsonl'), 'utf8')).trim().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(2 * (4 + 1)); // draws × (trials, and a third of them once more)
  const files = await readdir(whole, { recursive: true });
  expect(files.filter((file) => /evaluation|predictions|safetensors|model\.onnx|lock/.test(file))).toEqual([]);
});

/** Waits until a sweep has saved some epochs more. */
async function progress(sweep: string, epochs: number): Promise<void> {
  const saved = async () => {
    const files = await readdir(sweep, { recursive: true }).catch(() => []);
    const metrics = files.filter((file) => file.endsWith('metrics.jsonl'));
    const texts = await Promise.all(metrics.map((file) => readFile(join(sweep, file), 'utf8')));
    return texts.join('').split('\n').length;
  };
  const before = await saved();
  while ((await saved()) < before + epochs) await sleep(5);
}

it('fault 14: a draw has its own validation set and seed, and diverged trials come last', async () => {
  const folder = await temporaryFolder();
  const config = tableConfig(await writeTable(folder), {
    epochs: 1,
    optimizer: { name: 'sgd' },
    model: { name: 'mlp', hidden: [4] },
    seed: 5,
  });
  const path = join(folder, 'sweep');
  const { output } = await carryOut({ config, search: { 'optimizer.learningRate': [1e38, 0.01] }, draws: 2 }, path);
  const [best, worst] = JSON.parse(output);
  expect(best).toMatchObject({
    trial: 1,
    values: { 'optimizer.learningRate': 0.01 },
    standardError: expect.any(Number),
  });
  expect(worst).toMatchObject({ trial: 0, score: null, standardError: null });
  expect(await readFile(join(path, 'trials.jsonl'), 'utf8')).toMatch(/^{"trial":0,.*"diverged":true}\n/);
  const used: unknown = JSON.parse(await readFile(join(path, 'trials/1/draw-1/config.json'), 'utf8'));
  expect(used).toMatchObject({ seed: 6, threads: 1, data: { validationDraw: 1 } });
});

it('fault 40: is refused in a folder that another process uses, and changes nothing there', async () => {
  const folder = await temporaryFolder();
  const definition = { ...(await smallSweep(folder)), trials: 2, draws: 1, pruning: false };
  const path = join(folder, 'sweep');
  await carryOut(definition, path);
  const before = await outcomeOf(path);
  const results = join(path, 'trials.jsonl');
  await writeFile(results, '{"half'); // as if its owner were just writing
  const lock = FolderLock.acquire(path);
  expect((await carryOut(definition, path)).output).toContain(`UserError: ${path} is in use by process ${process.pid}`);
  expect(await readFile(results, 'utf8')).toBe('{"half');
  lock.release();
  await carryOut(definition, path);
  expect(await outcomeOf(path)).toEqual(before);
});

it('fault 8: repeats nothing that is finished, trains what is missing, and refuses what is not the same sweep', async () => {
  const folder = await temporaryFolder();
  const definition = { ...(await smallSweep(folder)), trials: 2, draws: 1, pruning: false };
  const path = join(folder, 'sweep');
  const results = join(path, 'trials.jsonl');
  await carryOut(definition, path);
  const [first = '', second = ''] = (await readFile(results, 'utf8')).split('\n');

  // A line that no training gives, and a torn one.
  const better = first.replace(/"softAccuracy":[\d.]+/, '"softAccuracy":0.999');
  await writeFile(results, `${better}\n${second.slice(0, 20)}`);
  await rm(join(path, 'trials', '1'), { recursive: true });
  const { output } = await carryOut(definition, path);
  expect(JSON.parse(output)).toMatchObject([{ trial: 0, score: 0.999, isComplete: true }, { trial: 1 }]);
  expect(await readFile(results, 'utf8')).toBe(`${better}\n${second}\n`);

  const other = await carryOut({ ...definition, draws: 2, search: { batchSize: [8, 16] } }, path);
  expect(other.output).toMatch(/^UserError: .*sweep is another sweep:\n/);
  expect(other.output).toContain('\n  draws: 1 in the sweep, 2 now\n');
  expect(other.output).toContain('\n  search.batchSize: not set in the sweep, [8,16] now\n');

  await writeFile(results, `${first.replace('"epoch":9', '"epoch":8')}\n${second}\n`);
  expect((await carryOut(definition, path)).output).toContain('goes on differently than it began');
  await writeFile(results, `${first.replace(/"dataset":"[0-9a-f]+"/, '"dataset":"0"')}\n`);
  expect((await carryOut(definition, path)).output).toContain('the data has changed since');

  // Its results stay, whatever else is gone.
  await writeFile(results, `${first}\n`);
  await rm(join(path, 'trials'), { recursive: true });
  await rm(definition.config.data.source);
  expect((await carryOut(definition, path)).output).toMatch(/^UserError: .*there is no such file/);
  expect(await readFile(results, 'utf8')).toBe(`${first}\n`);
});
