import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { appendJsonLine, keepJsonLines, readJsonLines } from '../../src/files/json-lines.js';
import { temporaryFolder } from '../runs/examples.js';

it('gives back what was appended, line breaks and all', async () => {
  const file = join(await temporaryFolder(), 'metrics.jsonl');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), async (values) => {
      await writeFile(file, '');
      for (const value of values) await appendJsonLine(file, value);
      expect(await readJsonLines(file)).toEqual(JSON.parse(JSON.stringify(values)));
    }),
    { numRuns: 20 },
  );
});

it('has no lines where there is no file', async () => {
  const file = join(await temporaryFolder(), 'metrics.jsonl');
  expect(await readJsonLines(file)).toEqual([]);
  await keepJsonLines(file, 0);
});

it('fault 16: a last line that was torn anywhere is skipped by readers and cut off by resume', async () => {
  const file = join(await temporaryFolder(), 'metrics.jsonl');
  const whole = '{"epoch":0}\n{"epoch":1,"name":"zoë"}\n';
  const line = Buffer.from('{"epoch":2,"name":"zoë"}');
  for (let length = 0; length <= line.length; length++) {
    await writeFile(file, Buffer.concat([Buffer.from(whole), line.subarray(0, length)]));
    expect(await readJsonLines(file)).toEqual([{ epoch: 0 }, { epoch: 1, name: 'zoë' }]);
    await keepJsonLines(file, 2);
    expect(await readFile(file, 'utf8')).toBe(whole);
  }
});

it('a damaged line in the middle is named', async () => {
  const file = join(await temporaryFolder(), 'metrics.jsonl');
  await writeFile(file, '1\n{"epo\n3\n');
  await expect(readJsonLines(file)).rejects.toThrow(
    `${file}: line 2 is not JSON; the file is damaged. Restore it, or remove this line`,
  );
});

it('cuts off what follows the lines that are kept', async () => {
  const file = join(await temporaryFolder(), 'metrics.jsonl');
  await writeFile(file, '1\n2\n3\n');
  await keepJsonLines(file, 2);
  expect(await readFile(file, 'utf8')).toBe('1\n2\n');
  await keepJsonLines(file, 0);
  expect(await readFile(file, 'utf8')).toBe('');
});

it('refuses to go on from a checkpoint that knows of more lines', async () => {
  const file = join(await temporaryFolder(), 'metrics.jsonl');
  await writeFile(file, '1\n2');
  await expect(keepJsonLines(file, 2)).rejects.toThrow(
    `${file} has 1 lines; expected at least the 2 that the checkpoint knows of. Somebody removed some: restore the file, or ` +
      'start a new run',
  );
});
