import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRun } from '../../src/index.js';
import { evenhandJson } from '../cli/evenhand.js';
import { temporaryFolder } from '../runs/examples.js';

/** A missed tumour costs as much as 30 false alarms. */
const MISS = 30;

it('who says that a missed tumour costs 30 false alarms gets answers that cost less than as many right ones as can be', {
  timeout: 120_000,
}, async (context) => {
  const table = join(process.env.EVENHAND_DATA ?? '', 'tabular/mammography.csv');
  if (process.env.EVENHAND_DATA === undefined || !existsSync(table)) {
    return context.skip('EVENHAND_DATA is not set; expected a folder with tabular/mammography.csv');
  }
  const cwd = await temporaryFolder();
  const train = (run: string, objective: string) => {
    const brief = ['--folds', '3', '--epochs', '6', '--no-report'];
    return evenhandJson(['train', table, '--target', 'class', ...brief, '--run', run, '--objective', objective], {
      cwd,
    });
  };
  await train('plain', 'accuracy');
  await train('costs', JSON.stringify({ costs: { '1': { '-1': MISS }, '-1': { '1': 1 } } }));
  const plain = await (await openRun(join(cwd, 'plain'))).evaluation();
  const ruled = await (await openRun(join(cwd, 'costs'))).evaluation();
  const [, alarms = 0, misses = 0] = plain.report.confusionMatrix;
  const meanCost = (alarms + MISS * misses) / plain.report.instances;
  expect(ruled.costs?.mean.value).toBeLessThan(meanCost);
  expect(ruled.costs?.mean.value).toBeLessThan(ruled.costs?.likeliest.mean ?? 0);
});
