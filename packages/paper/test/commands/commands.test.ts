import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../child-process.js';
import { temporaryFolder } from '../temporary-folder.js';

it('demo compares one-hot labels with enhancement on long-tailed MNIST', { timeout: 120_000 }, async () => {
  const cwd = await temporaryFolder();
  const args = ['demo', '--epochs', '1', '--run', 'demo', '--no-report'];
  const { code, stdout, stderr } = await runCommand(args, { cwd });
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/\n +9 +7 +1,009 +/);
  expect(stdout).toContain('enhancement against one-hot');
});

it('tune searches for values of a row and leaves the best as a configuration', { timeout: 120_000 }, async () => {
  const cwd = await temporaryFolder();
  const search = ['--search', 'method.enhancementRate=1,3', '--search', 'epochs=1'];
  const { code, stdout, stderr } = await runCommand(['tune', 'long-tail/ce', ...search, '--draws', '1'], { cwd });
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('2 of 2 trials were trained to the end.');
  const best: unknown = JSON.parse(await readFile(join(cwd, 'runs', 'tuning', 'long-tail-ce', 'best.json'), 'utf8'));
  expect(best).toMatchObject({ data: { source: 'mnist' }, epochs: 1, method: { updatingRate: 0.1 } });
});

it.each([
  [['tune', 'long-tail/ce'], '--search is missing; expected an option with its values'],
  [['tune', 'even', '--search', 'epochs=1'], 'the row is "even"; '],
  [['tables', '--tables-folder', 'nowhere'], 'the folder of the tables, nowhere, cannot be read'],
])('%j is refused', async (args, message) => {
  const cwd = await temporaryFolder();
  const { code, stderr } = await runCommand(args, { cwd });
  expect(stderr).toContain(message);
  expect(code).toBe(2);
  expect(existsSync(join(cwd, 'runs'))).toBe(false);
});
