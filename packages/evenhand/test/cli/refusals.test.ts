import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallDisk, temporaryFolder } from '../runs/examples.js';
import { writeTable } from '../training/problem.js';
import { evenhand, SMALL } from './evenhand.js';
import { OneProcess } from './one-process.js';

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'evenhand-cli-'));
  await writeTable(cwd);
  const args = ['train', 'table.csv', '--target', 'class', '--run', 'run', ...SMALL];
  const { code, stderr } = await evenhand(args, { cwd });
  expect(code, stderr).toBe(0);
  for (const [name, content] of Object.entries(FILES)) await writeFile(join(cwd, name), content);
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const rows = (lines: readonly string[]) => `x,class\n${lines.join('\n')}\n`;
const good = Array.from({ length: 30 }, (_, i) => `${i * i},${i % 3 === 0 ? 'a' : 'b'}`);

const FILES = {
  'values.csv': rows(['N/A,a', 'Infinity,b', ...good]),
  'labels.csv': rows([...good, '7,']),
  'ragged.csv': rows([...good, '7,a,b']),
  'header.csv': `x,x,class\n1,2,a\n`,
  'one.csv': rows(good.map((line) => line.replace('b', 'a'))),
  'rare.csv': rows([...good, '1000,rare']),
  'rarer.csv': rows([...good.filter((line) => line.endsWith('a')), '5,b', '6,b']),
  'unseen.csv': 'x,y,colour,member,class\n1,2,red,yes,novel\n',
  'missing.csv': 'x,colour,member\n1,red,yes\n',
  'proto.json': '{"__proto__": {"epochs": 1}}',
  'faulty.json': '{"epochs": 1,}',
} as const;

describe('is refused with exit code 2, one message and nothing left behind:', () => {
  const train = (file: string, ...options: string[]) => [
    'train',
    file,
    '--target',
    'class',
    '--run',
    'new',
    ...options,
  ];
  const refusing = new OneProcess();
  afterAll(() => refusing.end());
  it.each<[title: string, args: string[], message: string]>([
    [
      'fault 8: resume with another rate, which only train has a flag for',
      ['resume', 'run', '--set', 'optimizer.learningRate=0.5'],
      'optimizer.learningRate: 0.001 in the run, 0.5 now\n' +
        'Resume it with what it was trained with, override this explicitly, or start a new run\n' +
        '  (on the command line: --override)\n',
    ],
    [
      'fault 12: a folder in use',
      ['train', 'table.csv', '--target', 'class', '--run', 'run'],
      'run already holds a run',
    ],
    [
      'fault 12: a folder in use, for several runs',
      ['train', 'table.csv', '--target', 'class', '--run', 'run', '--seeds', '2'],
      'run is not empty',
    ],
    [
      'fault 17: missing values, if asked for',
      train('values.csv', '--missing-values', 'refuse'),
      '"x" 2 of 32 (1 infinite)',
    ],
    ['fault 18: missing labels', train('labels.csv'), 'line 32'],
    ['fault 19: ragged rows', train('ragged.csv'), 'line 32 (3)'],
    ['fault 20: a header with two equal names', train('header.csv'), 'the columns 1 and 2 are both named "x"'],
    ['fault 20: no such target', ['train', 'table.csv', '--target', 'clas', '--run', 'new'], 'did you mean "class"?'],
    ['no target', ['train', 'table.csv', '--run', 'new'], '(on the command line: --target <column>)'],
    ['fault 21: one class only', train('one.csv'), 'only one class, "a"'],
    [
      'fault 22: a class that is too rare, if asked for',
      train('rare.csv', '--rare-classes', 'refuse'),
      '--rare-classes <keep|refuse|merge|drop>',
    ],
    ['fault 22: a class that is too rare, and one other', train('rarer.csv'), '"b" (2). Expected at least 3 of each'],
    ['fault 24: a class that training never saw', ['evaluate', 'run', 'unseen.csv'], 'The class "novel", of line 2,'],
    ['fault 25: a column that is missing', ['predict', 'run', 'missing.csv', '--out', 'out.csv'], 'has no column "y"'],
    [
      'fault 34: a configuration with __proto__',
      ['train', '--config', 'proto.json'],
      'the key "__proto__" is not allowed',
    ],
    [
      'fault 34: --set __proto__',
      train('table.csv', '--set', '__proto__.x=1'),
      '--set __proto__.x: there is no such option',
    ],
    ['JSON with a fault', ['train', '--config', 'faulty.json'], 'faulty.json is not valid JSON'],
    ['no data', ['train'], 'no data was named'],
    ['data that is not there', ['check', 'tabel.csv'], 'did you mean "table.csv"?'],
    ['an unknown command', ['trian', 'table.csv'], "unknown command 'trian'\n(Did you mean train?)"],
    ['an unknown option', train('table.csv', '--epoch', '3'), "unknown option '--epoch'\n(Did you mean --epochs?)"],
    [
      'an unknown key',
      train('table.csv', '--set', 'learningRate=3'),
      'did you mean "model.learningRate" or "optimizer.learningRate"?',
    ],
    ['a misspelt key', train('table.csv', '--set', 'optimizer.momentun=1'), 'did you mean "optimizer.momentum"?'],
    ['an unknown method', train('table.csv', '--method', 'one-hott'), 'did you mean "one-hot"?'],
    [
      'a method without that option',
      train('table.csv', '--method', 'one-hot', '--updating-rate', '1'),
      'unknown option "updatingRate"',
    ],
    ['a value of the wrong kind', train('table.csv', '--epochs', 'many'), 'epochs is "many"; expected a number'],
    ['seeds that are none', train('table.csv', '--seeds', '0'), '--seeds is "0"; expected an integer from 1 to 1000'],
    ['what is no run', ['compare', 'rnu'], 'rnu is not a run: there is no config.json in it'],
    ['a data set that cannot be fetched', ['data', 'fetch', 'cifar1'], 'did you mean "cifar10"?'],
    ['a data set that nobody knows', ['data', 'fetch', 'iris'], 'expected cifar10 or mnist'],
  ])('%s', async (_, args, message) => {
    const before = await readdir(cwd, { recursive: true });
    const { code, stdout, stderr } = await refusing.run([...args, '--quiet'], cwd);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^evenhand: /);
    expect(stderr).not.toMatch(/^ +at /m);
    expect([code, stdout]).toEqual([2, '']);
    expect(await readdir(cwd, { recursive: true })).toEqual(before);
  });
});

it('says errors in JSON too, and shows where they come from with --debug', async () => {
  const { code, stdout, stderr } = await evenhand(['compare', 'nothing', '--json', '--debug'], { cwd });
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    error: { kind: 'input', message: expect.stringContaining('is not a run') },
  });
  expect(stderr).toMatch(/^ +at .*runs\/run\.js/m);
});

it('fault 17: missing values are counted and filled in unless refused', async () => {
  const { code, stderr, stdout } = await evenhand(['check', 'values.csv', '--target', 'class'], { cwd });
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('note: Column "x" has missing values: 2 of 32 (1 infinite).');
});

it('faults 22 and 23: rare classes are dropped explicitly, and a class absent from the test set has no recall', async () => {
  const options = ['--rare-classes', 'drop', '--run', 'dropped', ...SMALL];
  const { code, stderr } = await evenhand(['train', 'rare.csv', '--target', 'class', ...options], { cwd });
  expect(code, stderr).toBe(0);
  await writeFile(join(cwd, 'only-a.csv'), 'x,class\n1,a\n2,a\n');
  const { stdout } = await evenhand(['evaluate', 'dropped', 'only-a.csv', '--quiet'], { cwd });
  expect(stdout).toMatch(/\n +b +\d+ +0 +–\n/);
});

it('fault 25: columns are matched by name', async () => {
  await writeFile(join(cwd, 'order.csv'), 'member,colour,y,x\nyes,red,1,0\n');
  await writeFile(join(cwd, 'reorder.csv'), 'x,y,colour,member\n0,1,red,yes\n');
  const [one, other] = await Promise.all(
    ['order.csv', 'reorder.csv'].map((file) => evenhand(['predict', 'run', file, '--json'], { cwd })),
  );
  expect(one?.code).toBe(0);
  expect(one?.stdout).toBe(other?.stdout);
});

it('fault 12: a folder without write permission is refused before training', async () => {
  const parent = await temporaryFolder();
  await writeTable(parent);
  await mkdir(join(parent, 'locked'));
  await chmod(join(parent, 'locked'), 0o555);
  await chmod(parent, 0o755);
  const who = process.getuid?.() === 0 ? { user: 65_534 } : {};
  const args = ['train', 'table.csv', '--target', 'class', '--run', 'locked/run', ...SMALL];
  const { code, stderr } = await evenhand(args, { cwd: parent, ...who });
  expect([code, stderr]).toEqual([2, expect.stringContaining('cannot write locked/run: this user may not')]);
  expect(await readdir(join(parent, 'locked'))).toEqual([]);
});

it('fault 11: a full disk is reported clearly', async (ctx) => {
  const disk = await smallDisk(ctx, '8k');
  const args = ['train', 'table.csv', '--target', 'class', '--run', join(disk, 'run'), ...SMALL];
  const { code, stderr } = await evenhand(args, { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('the disk is full')]);
  expect(await readdir(disk)).toEqual([]);
});
