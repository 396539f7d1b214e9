import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder, readCifar10 } from 'evenhand/data';
import { describe, expect, it } from 'vitest';
import { planOf, type ReproduceWords } from '../../src/commands/reproduce/reproduce-plan.js';
import { readCellLines } from '../../src/results/cell-result.js';
import { runCommand, startCommand } from '../child-process.js';
import { resultWith } from '../runner/small-cells.js';
import { temporaryFolder } from '../temporary-folder.js';

const WORDS: ReproduceWords = {
  what: 'table1',
  scale: 'cpu',
  seeds: undefined,
  only: undefined,
  methods: undefined,
  subsets: 1,
  epochs: undefined,
  imageSize: undefined,
  device: 'cpu',
  folder: 'reproduction',
  results: undefined,
  page: undefined,
  summary: undefined,
  processes: undefined,
};

describe('words on the command line', () => {
  it.each<[title: string, words: Partial<ReproduceWords>, message: string]>([
    [
      'an unknown row',
      { only: 'longtail/ce' },
      '--only is "longtail/ce"; did you mean "long-tail/ce"? Expected one of even/mse, even/ce, even/fl, long-tail/mse, ' +
        'long-tail/ce, long-tail/fl, a setting alone (even, long-tail), or one method of a row, such as even/ce/enhancement',
    ],
    [
      "another table's row",
      { what: 'table2', only: 'even/ce' },
      'Expected one of cifar10-lt/mse, cifar10-lt/ce, cifar10-lt/fl, a setting alone (cifar10-lt)',
    ],
    ['an unknown method in a row', { only: 'even/ce/onehot' }, '--only is "onehot"; did you mean "one-hot"?'],
    ['an unknown method', { methods: 'one-hot,ldma' }, '--methods is "ldma"; did you mean "ldam"?'],
    [
      'a method chosen twice over',
      { only: 'even/ce/one-hot', methods: 'ldam' },
      '--only names a method, and so does --methods; leave one of them out',
    ],
    ['subsets of a row that has none', { only: 'even/fl', subsets: 5 }, '--subsets is about cross-entropy alone'],
    [
      'figures of one row',
      { what: 'figures', only: 'even/ce', epochs: 3 },
      'figures are drawn from all results; leave out --only and --epochs, or name a table',
    ],
    ['photographs of a table without any', { imageSize: 64 }, '--image-size is about the photographs of table3 alone'],
    [
      'a range of seeds that is none',
      { seeds: '4..3' },
      '--seeds is "4..3"; expected how many, from 1 to 1000, or a range',
    ],
    ['an unknown scale', { scale: 'gpu' }, '--scale is "gpu"; did you mean "cpu"? Expected one of paper, cpu'],
    ['an unknown device', { device: 'tpu' }, 'Expected one of cpu, cuda, webgpu, dml, coreml'],
  ])('refuse %s', (_, words, message) => {
    expect(() => planOf({ ...WORDS, ...words })).toThrow(message);
  });

  it('choose a row of one table, with all tables to choose from', () => {
    const { tables, page } = planOf({
      ...WORDS,
      what: 'all',
      only: 'cifar10-lt/ce',
      seeds: '1',
      methods: 'one-hot,enhancement',
    });
    expect(page).toBe('reproduction');
    expect(tables.map(({ table, scale, cells }) => [table, scale, cells.length])).toEqual([['table2', 'cpu', 2]]);
  });

  it.each<[seeds: string, expected: number[]]>([
    ['3', [0, 1, 2]],
    ['3..4', [3, 4]],
    ['2..2', [2]],
  ])('choose the seeds by --seeds %s', (seeds, expected) => {
    const [planned] = planOf({ ...WORDS, only: 'even/ce/one-hot', seeds }).tables;
    expect(planned?.cells.map(({ seed }) => seed)).toEqual(expected);
  });

  it('ask for a page, or for figures and all as well', () => {
    const pageOf = (words: Partial<ReproduceWords>) => planOf({ ...WORDS, ...words }).page;
    expect([
      pageOf({}),
      pageOf({ page: 'docs' }),
      pageOf({ what: 'figures' }),
      pageOf({ what: 'all', page: 'docs' }),
    ]).toEqual([undefined, 'docs', 'reproduction', 'docs']);
  });

  it('keep results of another number of epochs or size of images apart', () => {
    const places = (words: Partial<ReproduceWords>) =>
      planOf({ ...WORDS, ...words }).tables.map(({ runs, results }) => [runs, results]);
    expect(places({})).toEqual([['reproduction/table1.paper', 'reproduction/results/table1.paper.jsonl']]);
    expect(places({ what: 'table2', epochs: 3, results: 'out' })).toEqual([
      ['reproduction/table2.cpu.epochs-3', 'out/table2.cpu.epochs-3.jsonl'],
    ]);
    expect(places({ what: 'table3', imageSize: 64, results: 'out' })).toEqual([
      ['reproduction/table3.cpu.size-64', 'out/table3.cpu.size-64.jsonl'],
    ]);
  });
});

describe('is refused with exit code 2, one message and nothing left behind:', () => {
  it.each<[title: string, words: string, message: string]>([
    [
      'an unknown table',
      'tabel2',
      'what is reproduced is "tabel2"; did you mean "table2"? Expected one of table1, table2, table3, transformers, figures, all',
    ],
    ['figures without results', 'figures', 'there are no results in reproduction/results; run a table first'],
    ['all tables where data sets are missing', 'all', '2 data sets are missing:\n  CIFAR-10 is not in '],
    ['no seed', 'table1 --seeds 0', '--seeds is "0"; expected how many, from 1 to 1000, or a range'],
    ['half an epoch', 'table1 --epochs 0.5', '--epochs is "0.5"; expected an integer from 1 to 1000'],
    ['no process', 'table1 --processes=', '--processes is ""; expected an integer from 1 to 1000'],
    ['a table without its data, with how to get it', 'table3', 'Download caltech-101.zip from https://doi.org/'],
  ])('%s', async (_, words, message) => {
    const cwd = await temporaryFolder();
    await mkdir(join(cwd, 'data'));
    const env = { EVENHAND_DATA: join(cwd, 'data') };
    const { code, stdout, stderr } = await runCommand(['reproduce', ...words.split(' ')], { cwd, env });
    expect(stderr).toContain(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(existsSync(join(cwd, 'reproduction'))).toBe(false);
  });
});

/** ⌈n_p/2ᵖ⌉ − 5 of MNIST's 5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851 and 5949 training images. */
const LONG_TAIL = [5918, 3366, 1485, 762, 361, 165, 88, 44, 18, 7];

/** The shortest honest cell: one epoch of the smaller MNIST at full size. */
const ONE_CELL = ['reproduce', 'table1', '--only', 'long-tail/ce/enhancement', '--seeds', '1', '--epochs', '1'];

it('one epoch of a cell of Table 1 prints its row beside that of the paper, and is not trained again', {
  timeout: 120_000,
}, async () => {
  const cwd = await temporaryFolder();
  const first = await runCommand(ONE_CELL, { cwd });
  expect(first.code, first.stderr).toBe(0);
  const results = join('reproduction', 'results', 'table1.paper.epochs-1.jsonl');
  expect(first.stderr).toContain(`--epochs 1 is not the recipe: ${results} is kept apart from the table's results`);
  expect(first.stderr).toMatch(/long-tail\/ce\/enhancement\/0 {2}top-1 \d+\.\d % {2}\(1 of 1 cells\)/);
  expect(first.stdout).toContain(
    'Table 1, imbalanced MNIST, at the scale "paper", with --epochs 1 and not by the recipe',
  );
  expect(first.stdout).toMatch(
    /long-tail\/ce +\d\d\.\d\d \(1\)\n +paper +91\.43 ± 0\.27 +\+2\.29\n +difference +[+−]\d/,
  );
  const [line] = (await readCellLines(join(cwd, results))).results;
  expect(line?.trainingCounts).toEqual(LONG_TAIL);
  const again = await runCommand([...ONE_CELL, '--json'], { cwd });
  expect(JSON.parse(again.stdout)).toMatchObject({
    tables: [{ table: 'table1', scale: 'paper', epochs: 1, failed: [], rows: [{ setting: 'long-tail', loss: 'ce' }] }],
    page: null,
  });
  expect((await readCellLines(join(cwd, results))).results).toEqual([line]);
});

it('cells that cannot be trained stop no other, are listed at the end, and make the exit code 2', async () => {
  const cwd = await temporaryFolder();
  const device = process.platform === 'darwin' ? 'dml' : 'coreml'; // of another system
  const args = ['reproduce', 'table1', '--only', 'long-tail/ce/one-hot', '--seeds', '2', '--device', device];
  const { code, stdout } = await runCommand(args, { cwd });
  expect(stdout).toContain(`\nlong-tail/ce/one-hot/0 has no result: device: the device "${device}" cannot be used`);
  expect(stdout).toContain('\nlong-tail/ce/one-hot/1 has no result: ');
  expect(code).toBe(2);
  const { results, diverged } = await readCellLines(join(cwd, 'reproduction', 'results', 'table1.paper.jsonl'));
  expect([...results, ...diverged]).toEqual([]);
});

it('fault 9: SIGINT leaves the cells at a checkpoint, says how to go on, and exits with 130', {
  timeout: 120_000,
}, async () => {
  const cwd = await temporaryFolder();
  const args = ['reproduce', 'table1', '--only', 'long-tail/ce/one-hot', '--seeds', '2'];
  const command = startCommand(args, { cwd });
  const metrics = join(cwd, 'reproduction', 'table1.paper', 'long-tail', 'ce', 'one-hot', '0', 'metrics.jsonl');
  while (!existsSync(metrics)) await sleep(50);
  command.kill('SIGINT');
  const { code, stdout, stderr } = await command.ended();
  expect(stderr).toContain(
    'interrupted; what is finished is kept, the rest is at a checkpoint. Continue with:\n  npm run reproduce -- table1 ' +
      '--only long-tail/ce/one-hot --seeds 2\n',
  );
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(existsSync(join(metrics, '..', 'checkpoints', 'last.safetensors'))).toBe(true);
  expect(existsSync(join(metrics, '..', 'lock'))).toBe(false);
});

it('figures writes the page from results alone', { timeout: 120_000 }, async () => {
  const cwd = await temporaryFolder();
  const lines = (['one-hot', 'enhancement'] as const).map((method) =>
    JSON.stringify(resultWith({ method }, { recall: Array(10).fill(0.9), trainingCounts: LONG_TAIL })),
  );
  await mkdir(join(cwd, 'results'));
  await writeFile(join(cwd, 'results', 'table1.paper.jsonl'), `${lines.join('\n')}\n`);
  const { code, stdout, stderr } = await runCommand(['reproduce', 'figures', '--results', 'results'], { cwd });
  expect(code, stderr).toBe(0);
  expect(stdout).toContain(join('reproduction', 'reproduction.html'));
  expect(await readFile(join(cwd, 'reproduction', 'reproduction.html'), 'utf8')).toContain('90.0');
});

it("the paper's scale can be run: ResNet-32 on CIFAR-10-LT measures a generator matrix and trains with it", {
  timeout: 300_000,
}, async (ctx) => {
  await readCifar10().catch(() => ctx.skip(`CIFAR-10 is not in ${dataFolder()}`));
  const cwd = await temporaryFolder();
  const only = ['--only', 'cifar10-lt/ce/enhancement', '--seeds', '1'];
  const command = startCommand(['reproduce', 'table2', '--scale', 'paper', ...only], { cwd });
  const run = join(cwd, 'reproduction', 'table2.paper', 'cifar10-lt', 'ce', 'enhancement', '0');
  // An epoch would take a minute. The matrix is written before the first, and a step is taken before an interruption is seen to.
  while (!existsSync(join(run, 'generator.jsonl'))) await sleep(50);
  command.kill('SIGINT');
  const { code, stderr } = await command.ended();
  expect(code, stderr).toBe(130);
  expect(existsSync(join(run, 'checkpoints', 'last.safetensors'))).toBe(true);
  const { counts } = JSON.parse(await readFile(join(run, 'classes.json'), 'utf8'));
  expect(counts.training).toEqual([4995, 2992, 1791, 1072, 640, 382, 227, 134, 78, 45]);
});
