import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openRun } from '../../src/index.js';
import { temporaryFolder } from '../runs/examples.js';
import { writeTable } from '../training/problem.js';
import { evenhand, MAIN, SMALL, start } from './evenhand.js';

/** What colours a text. */
const STYLE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`);

/** Runs a command on a pseudo-terminal. */
const RECORDER = 'script';

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  'it\'s "quoted"',
  'long '.repeat(40),
  '🦆🇩🇪 emoji',
  'שלום \u202e reversed',
  '\u001b[31mred\u0007\u009b2J',
];

/** A table with classes of these names. */
async function hostileTable(folder: string): Promise<void> {
  const rows = HOSTILE.flatMap((name, p) =>
    Array.from({ length: 12 }, (_, i) => `${p + i / 20},${i % 4},"${name.replaceAll('"', '""')}"\n`),
  );
  await writeFile(join(folder, 'hostile.csv'), `x,y,class\n${rows.join('')}`);
}

it('piped output has no control characters, whatever the classes are called', async () => {
  const cwd = await temporaryFolder();
  await hostileTable(cwd);
  const args = [
    'train',
    'hostile.csv',
    '--target',
    'class',
    '--model',
    'mlp',
    '--epochs',
    '2',
    '--give-back',
    '1',
    '--threads',
    '1',
    '--run',
    'run',
    '--no-report',
  ];
  const trained = await evenhand(args, { cwd, env: { FORCE_COLOR: '1' } });
  expect(trained.code, trained.stderr).toBe(0);
  const checked = await evenhand(['check', 'hostile.csv', '--target', 'class', '--json'], { cwd });
  for (const text of [trained.stdout, trained.stderr, checked.stdout])
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(trained.stderr).toMatch(
    /enhancement {2}epoch 2\/2 {2}loss -?\d+\.\d+ {2}validation \d+\.\d % {2}rarest \d+\.\d %/,
  );
  expect(trained.stdout).toContain('<img src=x onerror=alert(1)>');
  expect(trained.stdout).toMatch(/\n {2}long long [long ]+…/);
  expect(checked.stdout).toContain('\\u001b[31mred\\u0007\\u009b2J');
});

it('on a terminal one line is updated in place, and NO_COLOR turns colour off', async (ctx) => {
  if (spawnSync(RECORDER, ['--version']).error !== undefined) ctx.skip('the program "script" is not here');
  const cwd = await temporaryFolder();
  await writeTable(cwd, [400, 100, 40]);
  const command = `'${process.execPath}' '${MAIN}' train table.csv --target class --model mlp --epochs 40 --threads 1 --no-report`;
  const session = (run: string, env: Readonly<Record<string, string>>) => {
    const options = { cwd, encoding: 'utf8', env: { ...process.env, TERM: 'xterm', ...env } } as const;
    return spawnSync(RECORDER, ['-qec', `stty cols 60; ${command} --run ${run}`, '/dev/null'], options).stdout;
  };
  const shown = session('coloured', { NO_COLOR: '' });
  const updates = shown
    .split('\r\u001b[2K')
    .filter((line) => /^enhancement {2}epoch \d+\/40 /.test(line) && !line.includes('\n'));
  expect(updates.length).toBeGreaterThan(1);
  for (const line of updates) expect(line.length).toBeLessThan(60);
  expect(shown).toMatch(STYLE);
  expect(session('plain', { NO_COLOR: '1' })).not.toMatch(STYLE);
});

it('on a terminal, runs that are trained at once have a line each', async (ctx) => {
  if (spawnSync(RECORDER, ['--version']).error !== undefined) ctx.skip('the program "script" is not here');
  if (availableParallelism() < 2) ctx.skip('one core trains one run at a time');
  const cwd = await temporaryFolder();
  await writeTable(cwd, [400, 100, 40]);
  const runs = `--model mlp --method one-hot,enhancement --epochs 100 --threads 1 --no-report --run both`;
  const command = `'${process.execPath}' '${MAIN}' train table.csv --target class ${runs}`;
  const options = { cwd, encoding: 'utf8', env: { ...process.env, TERM: 'xterm' } } as const;
  const { stdout } = spawnSync(RECORDER, ['-qec', `stty rows 24 cols 60; ${command}`, '/dev/null'], options);
  expect(stdout).toMatch(/run 1\/2 {2}one-hot {2}epoch \d+\/100 [^\n]*\nrun 2\/2 {2}enhancement {2}epoch \d+\/100 /);
  expect(stdout).toContain('enhancement against one-hot');
  expect(stdout.match(/note: A step takes/g)).toHaveLength(1);
});

it.each([
  ['fault 9', 'SIGINT', 130],
  ['fault 10', 'SIGTERM', 143],
] as const)(
  '%s: %s saves, exits with %i and says how to go on; fault 13: until then the folder is in use',
  async (_, signal, code) => {
    const cwd = await temporaryFolder();
    await writeTable(cwd, [2000, 600, 100]);
    const recipe = ['--model', 'mlp', '--epochs', '1000', '--batch-size', '8', '--threads', '1'];
    const options = ['--target', 'class', ...recipe, '--run', 'a run'];
    const training = start(['train', 'table.csv', ...options], { cwd });
    while (!existsSync(join(cwd, 'a run', 'checkpoints', 'last.safetensors'))) await sleep(20);
    const second = await evenhand(['resume', 'a run', '--quiet'], { cwd });
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('a run is in use by process')]);
    training.kill(signal);
    const { code: received, stdout, stderr } = await training.ended();
    expect([received, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(
      /evenhand: interrupted; saved after \d+ epochs?( and \d+ steps?)?, in a run\. Continue with:\n {2}npx evenhand resume 'a run'\n$/,
    );
    expect(await (await openRun(join(cwd, 'a run'))).checkpoint('last')).toMatchObject({ checkpoint: {} });
  },
);

it('fault 9: a portfolio that is interrupted says how to go on, and does', async () => {
  const cwd = await temporaryFolder();
  await writeTable(cwd, [400, 100, 40]);
  const training = start(
    ['train', 'table.csv', '--target', 'class', '--threads', '1', '--run', 'auto', '--folds', '3'],
    {
      cwd,
    },
  );
  while (!existsSync(join(cwd, 'auto', 'members', 'tabular', 'checkpoints', 'last.safetensors'))) await sleep(20);
  training.kill('SIGINT');
  const { code, stderr } = await training.ended();
  expect(code, stderr).toBe(130);
  expect(stderr).toMatch(
    /evenhand: interrupted; saved after .*, in auto\. Continue with:\n {2}npx evenhand resume auto\n$/,
  );
  const resumed = await evenhand(['resume', 'auto', '--quiet', '--no-report'], { cwd });
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(resumed.stdout).toMatch(/linear +\d+\.\d +\d+\.\d +48\n +trees +\d.*\n +tabular +\d/);
});

it.each([
  { title: 'one after the other', threads: [] },
  { title: 'at once', threads: ['--threads', '1'] },
])('fault 9: interrupted in the second of several runs, $title, all of them go on', async ({ threads }) => {
  const cwd = await temporaryFolder();
  await writeTable(cwd, [800, 200, 60]);
  const options = [
    '--target',
    'class',
    '--model',
    'mlp',
    '--method',
    'one-hot,enhancement',
    '--epochs',
    '12',
    '--batch-size',
    '8',
    '--run',
    'both',
    ...threads,
  ];
  const training = start(['train', 'table.csv', ...options], { cwd });
  while (!existsSync(join(cwd, 'both', 'enhancement-seed-0', 'checkpoints', 'last.safetensors'))) await sleep(5);
  training.kill('SIGINT');
  const { code, stderr } = await training.ended();
  expect(code, stderr).toBe(130);
  expect(stderr).toContain('npx evenhand resume both');
  const resumed = await evenhand(['resume', 'both', '--quiet', '--no-report'], { cwd });
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(resumed.stdout).toContain('enhancement against one-hot');
});

it('with --json, stdout is one object and progress goes to stderr; --quiet has none', async () => {
  const cwd = await temporaryFolder();
  await writeTable(cwd);
  const recipe = ['--model', 'mlp', '--epochs', '1', '--threads', '1'];
  const args = ['train', 'table.csv', '--target', 'class', '--json', ...recipe, '--no-report'];
  const { stdout, stderr } = await evenhand(args, { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ run: join('runs', 'table-enhancement'), method: 'enhancement', seed: 0 });
  expect(stderr).toContain('epoch 1/1');
  const again = await evenhand([...args, ...SMALL], { cwd });
  expect(JSON.parse(again.stdout)).toMatchObject({ run: join('runs', 'table-enhancement-2') });
  expect(again.stderr).toBe('');
});
