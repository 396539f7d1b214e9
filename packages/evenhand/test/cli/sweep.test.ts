import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenSearch } from '../../src/cli/commands/sweep/sweep-search.js';
import { writeTable } from '../training/problem.js';
import { evenhand, evenhandJson, start } from './evenhand.js';

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'evenhand-sweep-'));
  await writeTable(cwd);
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const sweep = (...options: string[]) => [
  'sweep',
  'table.csv',
  '--target',
  'class',
  '--set',
  'model.hidden=[4]',
  '--epochs',
  '2',
  ...options,
];

it('shows the best trials, where things lie and what to type next; that works', async () => {
  const lists = ['--search', 'method.enhancementRate=1,30', '--search', 'method.updatingRate=0.3', '--draws', '2'];
  const { code, stdout, stderr } = await evenhand(sweep(...lists), { cwd });
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(
    /^ +trial +validation % +epochs +enhancementRate +updatingRate\n +[01] +\d+\.\d ± \d+\.\d +2 +/,
  );
  expect(stdout).toContain('2 of 2 trials were trained to the end. Soft accuracy on validation sets, mean ±');
  expect(stderr).toMatch(/trials 2\/2 {2}best \d+\.\d % {2}epochs 8\n$/);
  expect(stdout).toContain('Next: npx evenhand train --config sweeps/table/best.json --seeds 5\n');
  expect(await readFile(join(cwd, 'sweeps', 'table', 'sweep.html'), 'utf8')).toContain('method.updatingRate');
  const train = ['train', '--config', 'sweeps/table/best.json', '--run', 'best', '--quiet', '--no-report'];
  const trained = await evenhand(train, { cwd });
  expect(trained.code, trained.stderr).toBe(0);
});

it('takes a search space from a file, speaks JSON, and says the same again when it is resumed', async () => {
  const space = { 'optimizer.learningRate': { from: 0.001, to: 0.1, scale: 'log' }, 'model.hidden': [[4], [8, 4]] };
  await writeFile(join(cwd, 'space.json'), JSON.stringify(space));
  const options = ['--search', 'space.json', '--search', 'epochs=1..2', '--trials', '2', '--draws', '1', '--quiet'];
  const found = await evenhandJson([...sweep(...options), '--folder', 'a sweep'], { cwd });
  expect(found).toMatchObject({
    sweep: 'a sweep',
    definition: { sampler: 'tpe', trials: 2, search: { epochs: { from: 1, to: 2, scale: 'linear', integer: true } } },
    trials: [{ isComplete: true, score: expect.any(Number), standardError: null }, { isComplete: true }],
    bestConfig: join('a sweep', 'best.json'),
    page: join('a sweep', 'sweep.html'),
  });
  // Everything is there already.
  expect(await evenhandJson(['sweep', '--resume', 'a sweep', '--quiet'], { cwd })).toEqual(found);
});

it('fault 9: SIGINT leaves it at a checkpoint, exits with 130 and says how to go on', async () => {
  const options = [
    '--search',
    'optimizer.learningRate=0.01,0.02',
    '--draws',
    '1',
    '--epochs',
    '400',
    '--batch-size',
    '8',
  ];
  const command = start(sweep(...options, '--folder', 'stopped'), { cwd });
  while (!existsSync(join(cwd, 'stopped', 'trials', '0', 'draw-0', 'checkpoints', 'last.safetensors'))) await sleep(10);
  const second = await evenhand(['sweep', '--resume', 'stopped'], { cwd });
  expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('stopped is in use by process')]);
  command.kill('SIGINT');
  const { code, stdout, stderr } = await command.ended();
  expect([code, stdout]).toEqual([130, '']);
  expect(stderr).toMatch(
    /evenhand: interrupted; 0 of 2 trials have results, in stopped\. Continue with:\n {2}npx evenhand sweep --resume stopped\n$/,
  );
  const files = await readdir(join(cwd, 'stopped'), { recursive: true });
  expect(files.filter((file) => file.endsWith('lock'))).toEqual([]);
  expect(files).toContain(join('trials', '0', 'draw-0', 'checkpoints', 'last.safetensors'));
});

it.concurrent.each<[title: string, args: string[], message: string]>([
  ['a logarithm of 0', sweep('--search', 'epochs=log:0..1'), 'search epochs: from is 0'],
  ['threads', sweep('--search', 'epochs=1,2', '--threads', '2'), 'choose the number of processes with --processes'],
  ['no number', sweep('--search', 'epochs=1,2', '--min-epochs', 'few'), '--min-epochs is "few"; expected an integer'],
  [
    'several methods, with how they are searched',
    sweep('--search', 'epochs=1,2', '--method', 'one-hot,enhancement'),
    '--method takes one name here; search several with --search method.name=one-hot,enhancement',
  ],
  ['what is no sweep', ['sweep', '--resume', 'nothing'], 'nothing is not a sweep: there is no sweep.json in it'],
  ['options beside --resume', ['sweep', '--resume', 'nothing', '--draws', '2'], 'leave out --draws'],
])('is refused with exit code 2: %s', async (_, args, message) => {
  const { code, stdout, stderr } = await evenhand([...args, '--quiet'], { cwd });
  expect(stderr).toContain(message);
  expect([code, stdout]).toEqual([2, '']);
});

it('searches methods as its help says, and promises nothing else', async () => {
  const { stdout: help } = await evenhand(['sweep', '--help'], { cwd });
  expect(help.replace(/\s+/g, ' ')).not.toContain('several are compared');
  const [, search = ''] = /several are searched: (--search method\.name=\S+)/.exec(help.replace(/\s+/g, ' ')) ?? [];
  const args = sweep(...search.split(' '), '--draws', '1', '--quiet', '--folder', 'methods');
  expect(await evenhandJson(args, { cwd })).toMatchObject({
    definition: { sampler: 'grid', trials: 2 },
    trials: [{ score: expect.any(Number) }, { score: expect.any(Number) }],
  });
});

it('fault 20: a target that is not there leaves nothing behind', async () => {
  const args = ['sweep', 'table.csv', '--target', 'clas', '--search', 'epochs=1,2', '--folder', 'new/sweep'];
  const { code, stderr } = await evenhand(args, { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean "class"?')]);
  expect(existsSync(join(cwd, 'new'))).toBe(false);
});

describe('--search', () => {
  it.each<[search: string, domain: unknown]>([
    ['batchSize=32,128', [32, 128]],
    ['optimizer.name=sgd,adamw', ['sgd', 'adamw']],
    ['model.hidden=[64],[128,64]', [[64], [128, 64]]],
    ['model.logitNorm=true,false', [true, false]],
    ['epochs=10..60', { from: 10, to: 60, scale: 'linear', integer: true }],
    ['method.updatingRate=0.1..1', { from: 0.1, to: 1, scale: 'linear', integer: false }],
    ['optimizer.learningRate=log:1e-3..0.3', { from: 0.001, to: 0.3, scale: 'log', integer: false }],
  ])('%s', async (search, domain) => {
    const [path = ''] = search.split('=');
    expect(await givenSearch([search])).toEqual({ [path]: domain });
  });

  it.each<[title: string, searches: string[], message: string]>([
    ['nothing', [], '--search is missing; expected an option with its values, such as batchSize=32,128'],
    ['an option alone', ['batchSize'], '--search is "batchSize"; expected an option with its values'],
    [
      'an unknown option',
      ['learningRate=1,2'],
      '--search learningRate: there is no such option; did you mean "model.learningRate" or "optimizer.',
    ],
    ['an option twice', ['epochs=1,2', 'epochs=3'], '--search epochs is given twice'],
    ['half a range', ['epochs=log:1'], '--search epochs: received "log:1"; expected values separated by commas'],
    ['a file that is not there', ['nowhere.json'], 'cannot read nowhere.json: there is no such file'],
    ['fault 34: __proto__', ['__proto__.x=1,2'], '--search __proto__.x: there is no such option'],
  ])('refuses %s', async (_, searches, message) => {
    await expect(givenSearch(searches)).rejects.toThrow(message);
  });
});
