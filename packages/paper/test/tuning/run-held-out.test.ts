import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readTuningLines } from '../../src/results/tuning-line.js';
import { runCommand } from '../child-process.js';
import { temporaryFolder } from '../temporary-folder.js';

const TUNE = ['tune', 'long-tail/ce', '--held-out', '0.2', '--results', 'tuning.jsonl', '--draws', '1'];

it('tune --held-out measures all combinations on held-out images, one line each, and none of them twice', {
  timeout: 120_000,
}, async () => {
  const cwd = await temporaryFolder();
  const run = (rates: string) =>
    runCommand([...TUNE, '--search', 'epochs=1', '--search', `method.enhancementRate=${rates}`, '--processes', '2'], {
      cwd,
    });
  const first = await run('1,"auto"');
  expect(first.code, first.stderr).toBe(0);
  expect(first.stderr).toContain('2 of 2 runs are missing');
  const again = await run('1');
  expect(again.stderr).toContain('0 of 1 runs are missing');
  expect(again.stdout).toMatch(/enhancement +1 +0\.1 +adamw, learning rate 0\.003,/);
  const lines = await readTuningLines(join(cwd, 'tuning.jsonl'));
  expect(lines.map(({ method }) => method.enhancementRate).sort()).toEqual([1, 'auto']);
  for (const line of lines) {
    expect(line).toMatchObject({ setting: 'long-tail', loss: 'ce', images: 'held-out', draw: 0 });
    expect(line.recipe).toMatchObject({ epochs: 1, padding: 2 });
    expect(line.accuracy).toBeGreaterThan(0.1);
    expect(line.code?.engine).toMatch(/^[0-9a-f]{16}$/);
  }
});

it.each([
  [
    ['--search', 'epochs=1..3'],
    '--search epochs is a range; with --held-out, expected values with commas between them',
  ],
  [['--search', 'epochs=1', '--held-out', '1.5'], '--held-out is "1.5"; expected a share between 0 and 1'],
])('tune --held-out with %j is refused', async (args, message) => {
  const { code, stderr } = await runCommand([...TUNE, ...args], { cwd: await temporaryFolder() });
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

it('tune --held-out wants a file for its runs', async () => {
  const args = ['tune', 'long-tail/ce', '--held-out', '0.2', '--search', 'epochs=1'];
  const { code, stderr } = await runCommand(args, { cwd: await temporaryFolder() });
  expect(stderr).toContain('--results is missing; with --held-out, expected a file for the runs');
  expect(code).toBe(2);
});
