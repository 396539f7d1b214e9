import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainImage } from '../images/crafted-image.js';
import { smallDisk } from '../runs/examples.js';
import { writeTable } from '../training/problem.js';
import { type Ending, evenhand, SMALL, shell } from './evenhand.js';
import { OneProcess } from './one-process.js';

const LONG = 'x'.repeat(300);
const SMALL_WORDS = SMALL.join(' ');

let cwd = '';

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'evenhand-cli-'));
  await writeTable(cwd);
  expect(await evenhand(['train', 'table.csv', '--target', 'class', '--run', 'run', ...SMALL], { cwd })).toMatchObject({
    code: 0,
  });
  const depth = 100_000;
  await writeFile(join(cwd, 'deep.json'), `${'{"model":'.repeat(depth)}1${'}'.repeat(depth)}`);
  for (const [name, colour] of Object.entries({ cat: [200, 0, 0], dog: [0, 0, 200] } as const)) {
    await mkdir(join(cwd, 'photos', name), { recursive: true });
    const [r, g, b] = colour;
    for (let i = 0; i < 12; i++) {
      await writeFile(join(cwd, 'photos', name, `${i}.png`), await plainImage([r + i, g + i, b + i]));
    }
  }
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

function expectPlainWords({ code, stderr }: Ending, message: string): void {
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^evenhand: /);
  expect(stderr).not.toMatch(/internal|this is a bug|^ +at /m);
  expect(code).toBe(2);
}

describe('fault 55: an ordinary mistake is told in plain words, with exit code 2, and nothing is left behind:', () => {
  const train = (...options: string[]) => ['train', 'table.csv', '--target', 'class', '--run', 'new', ...options];
  const refusing = new OneProcess();
  afterAll(() => refusing.end());
  it.each<[title: string, args: string[], message: string]>([
    [
      'one instance per step',
      train('--model', 'mlp', '--batch-size', '1'),
      'batchSize is 1, which this model cannot be trained with',
    ],
    [
      'no name for the run',
      ['train', 'table.csv', '--target', 'class', '--run', ''],
      'the name of a folder is empty; expected a path, such as runs/first',
    ],
    ['no name of a run', ['resume', ''], 'the name of a run is empty'],
    ['a name that is too long', ['train', 'table.csv', '--target', 'class', '--run', LONG], 'the name is too long'],
    ['a run with a name that is too long', ['resume', LONG], 'the name is too long for the file system'],
    ['data with a name that is too long', ['predict', 'run', `${LONG}.csv`], 'ENAMETOOLONG'],
    ['threads without number', train('--threads', '999999999999'), 'threads is 999999999999, and this machine runs'],
    ['threads beyond sense', train('--threads', '100000'), '; expected at most '],
    [
      'a layer that does not fit into memory',
      train('--set', 'model.hidden=[1000000000]'),
      ' GB of memory to train with 32 instances at a time; this machine has ',
    ],
    ['layers beyond sense', train('--set', 'model.hidden=[99999999999999,99999999999999]'), 'this machine has'],
    [
      'images that do not fit into memory',
      ['train', 'photos', '--model', 'vit', '--image-size', '1024', '--run', 'new'],
      ' GB of memory to train with 8 instances at a time; this machine has ',
    ],
    [
      'a configuration without bottom',
      ['train', 'table.csv', '--config', 'deep.json'],
      'has more than 100 objects and lists inside',
    ],
    [
      'a value without bottom',
      train('--set', `model.hidden=${'['.repeat(20_000)}${']'.repeat(20_000)}`),
      `model.hidden is "${'['.repeat(59)}…; expected a list`,
    ],
  ])('%s', async (_, args, message) => {
    const before = await readdir(cwd, { recursive: true });
    expectPlainWords(await refusing.run([...args, '--quiet'], cwd), message);
    expect(await readdir(cwd, { recursive: true })).toEqual(before);
  });
});

describe.skipIf(process.platform !== 'linux')('fault 55: what the system refuses is told in plain words:', () => {
  it.each([
    ['a full disk behind the standard output', 'evenhand predict run table.csv --quiet > /dev/full'],
    ['a full disk before anything is done', 'evenhand --help > /dev/full'],
  ])('%s', (_, script) => {
    expectPlainWords(shell(script, cwd), 'cannot write to the standard output: the disk is full');
  });

  it('nothing, if only notes cannot be written: the work is done', () => {
    expect(shell('evenhand predict run table.csv 2> /dev/full', cwd)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^x,y,colour,member,class,predicted,/),
    });
  });

  it('a read-only file system', async (ctx) => {
    const disk = await smallDisk(ctx, '1m');
    await cp(join(cwd, 'run'), join(disk, 'run'), { recursive: true });
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const readOnly = 'the file system is read-only; choose a folder on another one';
    const target = ['table.csv', '--target', 'class'];
    for (const args of [
      ['train', ...target, '--run', join(disk, 'new'), ...SMALL],
      ['resume', join(disk, 'run')],
      ['report', join(disk, 'run')],
      ['predict', 'run', 'table.csv', '--out', join(disk, 'out.csv')],
    ]) {
      expectPlainWords(await evenhand([...args, '--quiet'], { cwd }), readOnly);
    }
    // What only reads does not mind.
    expect(await evenhand(['predict', join(disk, 'run'), 'table.csv'], { cwd })).toMatchObject({ code: 0 });
  });

  it('a file that becomes too large (EFBIG)', () => {
    const script = `ulimit -f 4; evenhand train table.csv --target class --run large ${SMALL_WORDS}`;
    expectPlainWords(shell(script, cwd), 'it would be larger than the file system, or a limit (ulimit -f), allows');
  });

  it('too many open files (EMFILE)', () => {
    expectPlainWords(shell('ulimit -n 36; evenhand predict run table.csv --quiet', cwd), 'too many files are open');
  });

  it.each([
    ['the data', 'table.csv', ['predict', 'run', 'table.csv']],
    ['the model', 'model.onnx', ['predict', 'run', 'table.csv']],
    ['the predictions of a run', 'predictions.csv', ['report', 'run']],
  ])('a broken disk (EIO) below %s', async (_, file, args) => {
    const broken = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { open } = fs.promises;
      fs.promises.open = async (path, ...rest) => {
        const handle = await open(path, ...rest);
        if (!String(path).endsWith('${file}')) return handle;
        const fail = async () => {
          throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' });
        };
        return Object.assign(handle, { read: fail, readFile: fail });
      };
      syncBuiltinESMExports();`;
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(broken)}` };
    const ending = await evenhand([...args, '--quiet'], { cwd, env });
    expectPlainWords(ending, 'the disk, or the network that it is reached by, reports an error');
  });
});

it('fault 55: data with a long name gets a run folder with a shorter one', async () => {
  const long = `${'数'.repeat(80)}.csv`; // 244 bytes
  await cp(join(cwd, 'table.csv'), join(cwd, long));
  expect(await evenhand(['train', long, '--target', 'class', ...SMALL], { cwd })).toMatchObject({ code: 0 });
  expect(await readdir(join(cwd, 'runs'))).toEqual([`${'数'.repeat(60)}-enhancement`]);
  await rm(join(cwd, 'runs'), { recursive: true });
});

describe.skipIf(process.platform !== 'linux')('with 8 GB of address space, less than WebAssembly reserves,', () => {
  it.each([
    'evenhand --version',
    'evenhand check table.csv',
    'evenhand check photos',
    `evenhand train table.csv --target class --run limited ${SMALL_WORDS}`,
    'evenhand predict run table.csv',
    'evenhand evaluate run table.csv',
    'evenhand report run',
  ])('"%s" works', (command) => {
    const { code, stderr } = shell(`ulimit -v 8000000; ${command} --quiet`, cwd);
    expect(code, stderr).toBe(0);
  });

  it('a Parquet file, which needs it, is refused in plain words', async () => {
    const columns = [{ name: 'x', data: Array.from({ length: 40 }, (_, i) => i) }];
    await writeFile(join(cwd, 'table.parquet'), Buffer.from(parquetWriteBuffer({ columnData: columns })));
    const limited = shell('ulimit -v 8000000; evenhand check table.parquet', cwd);
    expectPlainWords(limited, 'Perhaps a limit of memory (ulimit -v) is too low');
    expect(shell('evenhand check table.parquet', cwd)).toMatchObject({ code: 0 });
  });
});

it('of trainings without --run that begin at once, each takes a folder of its own, and those refused leave none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-cli-'));
  try {
    await writeTable(folder);
    const good = ['train', 'table.csv', '--target', 'class', ...SMALL];
    const bad = ['train', 'table.csv', '--target', 'class', '--model', 'mlp', '--batch-size', '1', '--quiet'];
    const endings = await Promise.all([good, bad, good, good].map((args) => evenhand(args, { cwd: folder })));
    expect(endings.map(({ code }) => code)).toEqual([0, 2, 0, 0]);
    const runs = await readdir(join(folder, 'runs'));
    expect(runs).toHaveLength(3);
    for (const run of runs) {
      expect(run).toMatch(/^table-enhancement(-[2-4])?$/);
      expect(await readdir(join(folder, 'runs', run))).toContain('evaluation.json');
    }
    await rm(join(folder, 'runs'), { recursive: true });
    await evenhand(bad, { cwd: folder });
    expect(await readdir(folder)).toEqual(['table.csv']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
