import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readRunLines } from '../../src/equal-budget/run-lines.js';
import { runCommand } from '../child-process.js';
import { temporaryFolder } from '../temporary-folder.js';

it('budget trains what has no line, and nothing twice', { timeout: 180_000 }, async () => {
  const cwd = await temporaryFolder();
  const results = join(cwd, 'results.jsonl');
  const run = (...more: readonly string[]) =>
    runCommand(['budget', '--epochs', '1', '--results', results, '--seeds', '1', '--draws', '1', ...more], { cwd });
  const first = await run('--only', 'one-hot');
  expect(first.code, first.stderr).toBe(0);
  expect(first.stderr).toContain('1 of 1 runs are missing');
  expect(first.stderr).toMatch(/1 of 1: one-hot, draw 0, seed 0: top-1 [\d.]+ reserved, [\d.]+ test/);
  expect(first.stdout).toContain('| one-hot | 1 of 15 | ');
  const [line] = await readRunLines(results);
  if (line === undefined || !('test' in line)) throw new Error('no result');
  // 980 of the test images and 200 of the reserved ones are zeros: recalls are shares of these.
  expect(980 * (line.test.recall[0] ?? 0)).toBeCloseTo(Math.round(980 * (line.test.recall[0] ?? 0)), 9);
  expect(200 * (line.reserved.recall[0] ?? 0)).toBeCloseTo(Math.round(200 * (line.reserved.recall[0] ?? 0)), 9);
  expect(line.test.recall[0]).toBeGreaterThan(0.5);
  // As many reserved images of every class: top-1 is their mean recall.
  expect(line.reserved.top1).toBeCloseTo(line.reserved.recall.reduce((a, b) => a + b, 0) / 10, 12);

  // What a killed process left behind the last newline is cut off; the whole line before it stays.
  const written = await readFile(results, 'utf8');
  await appendFile(results, written.slice(0, 100));
  const again = await run('--only', 'one-hot');
  expect(again.stderr).toContain('0 of 1 runs are missing');
  expect(await readFile(results, 'utf8')).toBe(written);

  // A line of another configuration does not count.
  await writeFile(results, written.replace('"batchSize":32', '"batchSize":64'));
  const other = await run('--only', 'one-hot');
  expect(other.stderr).toContain('1 of 1 runs are missing');
  const [, repeated] = await readRunLines(results);
  expect({ ...repeated, seconds: 0 }).toEqual({ ...line, seconds: 0 });
});

it.each([
  [['--epochs', '1'], '--results is missing; with --epochs, expected a file'],
  [['--only', 'one-hut'], '--only is "one-hut"; did you mean "one-hot"?'],
  [['--seeds', '0'], '--seeds is "0"; expected an integer from 1 on'],
])('budget %j is refused', async (args, message) => {
  const { code, stderr } = await runCommand(['budget', ...args], { cwd: await temporaryFolder() });
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

it('budget names a line that is no result', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'results.jsonl'), '{"row":"one-hot"}\n');
  const { code, stderr } = await runCommand(['budget', '--results', 'results.jsonl', '--no-training'], { cwd });
  expect(stderr).toContain('results.jsonl: line 1 is not the result of a run: ');
  expect(code).toBe(2);
});
