import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatImportance, type ImportanceReport, readImportance } from '../../src/runs/importance-file.js';
import { temporaryFolder } from './examples.js';

const sure = { value: 0.25, interval: { low: 0.125, high: 0.375 } };
const unknown = { value: null, interval: null, reason: 'no row of the class was measured' };
const example: ImportanceReport = {
  measured: 'out of fold',
  rows: 600,
  permutations: 5,
  before: { balancedLogLoss: 0.5, balancedAccuracy: 0.75 },
  columns: [{ name: '__proto__', logLossRise: sure, balancedAccuracyDrop: sure }],
  perClass: { classNames: ['<b>', 'c'], columns: [{ name: '__proto__', recallDrop: [sure, unknown] }] },
};

it('is read as it was written, and is none where it was not', async () => {
  const folder = await temporaryFolder();
  expect(await readImportance(folder)).toBeUndefined();
  for (const report of [example, { ...example, perClass: null }]) {
    await writeFile(join(folder, 'importance.json'), formatImportance(report));
    expect(await readImportance(folder)).toEqual(report);
  }
});

it('says what to do when it is damaged', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'importance.json'), '{"rows": -1}');
  await expect(readImportance(folder)).rejects.toThrow(
    /importance\.json is not what this version of evenhand writes: .*Measure it again: npx evenhand resume/,
  );
});
