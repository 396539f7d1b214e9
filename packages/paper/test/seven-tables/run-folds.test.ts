import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readFoldResults } from '../../src/seven-tables/fold-results.js';
import { runCommand } from '../child-process.js';
import { writeTable } from '../small-data.js';
import { temporaryFolder } from '../temporary-folder.js';

const QUICK = '{"epochs":2,"batchSize":16,"model":{"hidden":[8]}}';

it('tables learns folds with configurations that have names, and none of them twice', async () => {
  const folder = await temporaryFolder();
  await writeTable(folder);
  const results = join(folder, 'results.jsonl');
  const run = (...more: readonly string[]) =>
    runCommand(['tables', '--tables-folder', folder, '--results', results, '--repeats', '1', ...more], { cwd: folder });
  const first = await run('--folds', '1-2', '--variant', `quick=${QUICK}`);
  expect(first.code, first.stderr).toBe(0);
  expect(first.stdout).toContain('| quick | ');
  const lines = await readFoldResults(results);
  expect(lines.map(({ learner, table, repeat, fold }) => [learner, table, repeat, fold])).toEqual([
    ['quick', 'table', 0, 1],
    ['quick', 'table', 0, 2],
  ]);
  for (const { seconds, balancedAccuracy } of lines) {
    expect(seconds).toBeGreaterThan(0);
    expect(balancedAccuracy).toBeGreaterThan(0);
  }
  const again = await run('--folds', '1', '--variant', `quick=${QUICK}`, '--variant', `other=${QUICK}`);
  expect(again.stderr).toContain('1 of 2 folds are missing');
  expect((await readFoldResults(results)).map(({ learner }) => learner)).toEqual(['quick', 'quick', 'other']);
  // The same configuration, rows and seed.
  const [, , other] = await readFoldResults(results);
  expect({ ...other, learner: 'quick', seconds: 0 }).toEqual({ ...lines[0], seconds: 0 });
});

it('tables prints the folds for peers.py, a table per line', async () => {
  const folder = await temporaryFolder();
  await writeTable(folder);
  const { code, stdout } = await runCommand(['tables', '--tables-folder', folder, '--folds-for-peers'], {
    cwd: folder,
  });
  expect(code).toBe(0);
  const [line = '', ...others] = stdout.split('\n');
  expect(others).toEqual(['']);
  expect(JSON.parse(line)).toMatchObject({ table: 'table', classNames: ['=cmd', '__proto__', 'plain'] });
});

it('tables says what it could not learn, and has no line of it', async () => {
  const folder = await temporaryFolder();
  await writeTable(folder);
  const args = ['tables', '--tables-folder', folder, '--results', 'results.jsonl', '--folds', '0', '--repeats', '1'];
  const { code, stderr } = await runCommand([...args, '--variant', 'bad={"decision":{"threshold":"f1"}}'], {
    cwd: folder,
  });
  expect(code).toBe(2);
  expect(stderr).toContain('1 of 1: bad, table 0 0 has no result: ');
  await expect(readFile(join(folder, 'results.jsonl'))).rejects.toThrow('ENOENT');
});

it.each([
  [['--tables', 'tabel'], '--tables is "tabel"; did you mean "table"?'],
  [['--folds', '3-7'], '--folds is "3-7"; expected a fold from 0 to 4, or a range such as 0-1'],
  [['--repeats', '3'], '--repeats is "3"; expected an integer from 1 to 2'],
  [['--variant', 'wide'], '--variant is "wide"; expected a name and options as JSON'],
  [['--variant', 'wide={"modle":{}}'], '--variant wide: the configuration'],
  [['--variant', 'wide={,}'], '--variant wide: '],
])('tables %j is refused', async (args, message) => {
  const folder = await temporaryFolder();
  await writeTable(folder);
  const { code, stderr } = await runCommand(['tables', '--tables-folder', folder, ...args], { cwd: folder });
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});
