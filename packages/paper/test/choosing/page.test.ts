import { methods } from 'evenhand/config';
import { expect, it } from 'vitest';
import { measureMethods } from '../../src/choosing/measured-methods.js';
import { choosingPage } from '../../src/choosing/page.js';
import { BUDGET_ROWS, METHOD_ROWS } from '../../src/equal-budget/rows.js';
import type { RunLine } from '../../src/equal-budget/run-lines.js';
import { ALL_RUNS, budgetRuns } from '../../src/equal-budget/runs.js';
import { variantHash } from '../../src/seven-tables/fold-job.js';
import type { FoldResult } from '../../src/seven-tables/fold-results.js';
import { COMPARED_METHODS, methodFolds, methodVariants } from '../../src/seven-tables/methods.js';
import { SEVEN_TABLES } from '../../src/seven-tables/tables.js';
import { resultsOf } from '../seven-tables/results.js';

const TABLES = Object.keys(SEVEN_TABLES);

/** Results of every method on the first folds; each is a little worse than the one before it. */
function foldLines(foldsOf: (method: string) => number): FoldResult[] {
  return [...methodVariants()].flatMap(([name, variant], i) =>
    resultsOf(name, TABLES, () => ({
      configuration: variantHash(variant),
      balancedAccuracy: 0.9 - i / 100,
      seconds: name === 'smote' ? 6 : 2,
    })).filter(({ repeat, fold }) => repeat === 0 && fold < foldsOf(name)),
  );
}

/** Runs of every method on images; each is a little better than the one before it. */
function runLines(seeds: number): RunLine[] {
  const rows = [...BUDGET_ROWS, ...METHOD_ROWS];
  return budgetRuns({ ...ALL_RUNS, rows, seeds }).map((run) => {
    const part = { top1: 0.5 + rows.findIndex(({ name }) => name === run.row) / 1000, recall: [] };
    return { ...run, reserved: part, test: part, seconds: 1 };
  });
}

const cellsOf = (page: string, method: string) =>
  page
    .split('\n')
    .find((line) => line.startsWith(`| \`${method}\` |`))
    ?.split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());

it('has every method but the one that somebody has to know weights for, with what it changes, needs and costs', () => {
  const page = choosingPage(
    foldLines(() => 5),
    runLines(5),
  );
  for (const { name } of Object.values(methods)) {
    expect(cellsOf(page, name) === undefined, name).toBe(name === 'class-weights');
  }
  expect(cellsOf(page, 'one-hot')?.slice(0, 4)).toEqual(['nothing', '–', '1.0', '90.0 (1.0)']);
  expect(cellsOf(page, 'enhancement')?.slice(0, 4)).toEqual(['labels', 'measuring', '1.0', '89.0 (2.0)']);
  const smote = COMPARED_METHODS.indexOf('smote');
  expect(cellsOf(page, 'smote')?.slice(0, 5)).toEqual([
    ...['rows', 'tables', '3.0', `${(90 - smote).toFixed(1)} (${(smote + 1).toFixed(1)})`],
    'not for images',
  ]);
  expect(page).not.toContain('Preliminary');
});

it('the chart names the best of each kind', () => {
  const page = choosingPage(
    foldLines(() => 5),
    runLines(5),
  );
  expect(page).toContain('measuring methods<br>tables: enhancement<br>');
  expect(page).toContain('rows["tables: over-sampling<br>');
});

it('compares on the folds and runs that all have, and says that the rest is missing', () => {
  const lines = foldLines((name) => (name === 'smote' ? 2 : name === 'adasyn' ? 0 : 4));
  const measured = measureMethods(lines, runLines(1));
  expect(measured).toMatchObject({ folds: 14, withoutFolds: ['adasyn'], runs: 3, withoutRuns: [] });
  const page = choosingPage(lines, runLines(1));
  expect(page).toContain(
    '**Preliminary:** the numbers for tables are from the 14 of 35 folds for which all these methods have results; not on tables yet: `adasyn`; those for MNIST are from the 3 of 15 draws and seeds for which all these methods have results.',
  );
  expect(cellsOf(page, 'adasyn')?.[3]).toBe('not yet');
  expect(choosingPage([], [])).toContain('the numbers for tables are from the 0 of 35 folds');
});

it('results of another configuration do not count', () => {
  const lines = foldLines(() => 5).map((line) => ({ ...line, configuration: 'another' }));
  expect(measureMethods(lines, []).folds).toBe(0);
});

it('every row of the seven tables is tested once', () => {
  expect(methodFolds()).toHaveLength(35);
  expect(new Set([...methodVariants().values()].map(variantHash)).size).toBe(COMPARED_METHODS.length);
});
