import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readFoldResults } from '../../src/seven-tables/fold-results.js';
import { runCommand } from '../child-process.js';
import { writeTable } from '../small-data.js';
import { temporaryFolder } from '../temporary-folder.js';

const QUICK = '{"epochs":2,"batchSize":16,"model":{"name":"mlp","hidden":[8]}}';

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
  const { code, stderr } = await runCommand([...args, '--variant', 'bad={"data":{"group":"nowhere"}}'], {
    cwd: folder,
  });
  expect(code).toBe(2);
  expect(stderr).toContain('1 of 1: bad, table 0 0 has no result: ');
  await expect(readFile(join(folder, 'results.jsonl'))).rejects.toThrow('ENOENT');
});

it('tables wants a file for the results of other tables', async () => {
  const folder = await temporaryFolder();
  await writeTable(folder);
  const { code, stderr } = await runCommand(['tables', '--tables-folder', folder], { cwd: folder });
  expect(stderr).toContain(
    '--results is missing; with --tables-folder, expected a file for the results of these tables',
  );
  expect(code).toBe(2);
});
