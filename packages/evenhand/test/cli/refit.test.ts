import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../runs/examples.js';
import { writeTable } from '../training/problem.js';
import { evenhand } from './evenhand.js';

it('--refit trains on all rows, and the terminal says so', async () => {
  const cwd = await temporaryFolder();
  await writeTable(cwd);
  const recipe = ['--model', 'mlp', '--folds', '3', '--epochs', '3', '--threads', '1', '--test-share', '0'];
  const { code, stdout, stderr } = await evenhand(
    ['train', 'table.csv', '--target', 'class', ...recipe, '--refit', '--run', 'run', '--no-report'],
    { cwd },
  );
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('The model was refitted on all 180 training rows for 3 epochs.');
  expect(JSON.parse(await readFile(join(cwd, 'run', 'config.json'), 'utf8'))).toMatchObject({ refit: true });
});

it('--refit is refused without folds, by its flag and with what to do', async () => {
  const cwd = await temporaryFolder();
  await writeTable(cwd);
  const { code, stderr } = await evenhand(['train', 'table.csv', '--target', 'class', '--model', 'mlp', '--refit'], {
    cwd,
  });
  expect(code).toBe(2);
  expect(stderr).toContain('refit is true; expected false, or folds of at least 2');
});
