import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ablationVariants, LADDER, METHODS, TUNING_TABLES, tuningFolds } from '../../src/seven-tables/ablation.js';
import { ablationSection } from '../../src/seven-tables/ablation-section.js';
import { variantHash } from '../../src/seven-tables/fold-job.js';
import type { FoldResult } from '../../src/seven-tables/fold-results.js';
import { SEVEN_TABLES } from '../../src/seven-tables/tables.js';
import { runCommand } from '../child-process.js';
import { writeTable } from '../small-data.js';
import { temporaryFolder } from '../temporary-folder.js';
import { resultsOf } from './results.js';

const NAMES = [...ablationVariants().keys()];

/** Results on the tuning folds of all learners, or of some. */
function results(
  balancedAccuracy: (learner: string, table: number) => number,
  learners: readonly string[] = NAMES,
): FoldResult[] {
  return learners.flatMap((learner) =>
    resultsOf(learner, TUNING_TABLES, (table) => ({
      balancedAccuracy: balancedAccuracy(learner, TUNING_TABLES.indexOf(table)),
      logLoss: learner === 'default' ? 0.9 : 1,
    })).filter(({ repeat, fold }) => repeat === 0 && fold < 2),
  );
}

const cellsOf = (section: string, title: string) =>
  section
    .split('\n')
    .find((line) => line.startsWith(`| ${title} |`))
    ?.split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());

it('the tuning tables are those of the script, and none of the seven', async () => {
  const script = await readFile(fileURLToPath(new URL('../../scripts/tuning_tables.R', import.meta.url)), 'utf8');
  const made = [...script.matchAll(/^ {2}"([^"]+)" = /gm)].map(([, name]) => name);
  expect(made).toEqual(TUNING_TABLES);
  expect(tuningFolds()).toHaveLength(42);
  expect(TUNING_TABLES.filter((table) => table in SEVEN_TABLES)).toEqual([]);
});

it('the learners are configured in different ways, and the last step of the ladder is the default', () => {
  const variants = ablationVariants();
  // But for the choice of the epoch, which no option decides.
  const options = [...variants].filter(([name]) => name !== 'few rows').map(([, variant]) => variantHash(variant));
  expect(new Set(options).size).toBe(NAMES.length - 1);
  expect(variants.get('default')).toEqual({});
  // A method that is a step as well is one learner.
  for (const { name, variant } of METHODS) expect(variants.get(name)).toEqual(variant);
  for (const { name, variant } of LADDER) expect(variants.get(name)).toEqual(variant);
});

describe('the section', () => {
  it('compares each step with the one before it, table by table', () => {
    // 20 tables are level, on one the default is 21 points ahead: 1 in the mean, t = 1 with 20 degrees of freedom, p = 0.329.
    const section = ablationSection(
      results((learner, table) => 0.5 + (learner === 'default' && table === 4 ? 0.21 : 0)),
    );
    expect(cellsOf(section, LADDER.at(-1)?.title ?? '')).toEqual([
      ...['51.0', '+1.0', '1 of 21 (20 ties)', '0.329', '50.0 (+0.0)', '0.900 (−0.100)'],
    ]);
    expect(cellsOf(section, LADDER[0]?.title ?? '')).toEqual(['50.0', '–', '–', '–', '50.0', '1.000']);
    expect(section).not.toContain('Preliminary');
  });

  it('compares methods with logit adjustment, and corrects p for their number', () => {
    // One-hot is 2 points behind on even tables: 11 of 21. s² = 4·11·10/(21·20); t = −(22/21)/√(s²/21) = −4.69, p = 0.00014.
    const section = ablationSection(
      results((learner, table) => 0.5 - (learner === 'one-hot' && table % 2 === 0 ? 0.02 : 0)),
    );
    expect(cellsOf(section, 'one-hot')?.slice(0, 4)).toEqual(['49.0', '−1.0', '0 of 21 (10 ties)', '< 0.001']);
    expect(cellsOf(section, 'logit adjustment')).toEqual(['50.0', '–', '–', '–', '50.0', '1.000']);
  });

  it('shows only learners with all folds, compares with none that is not there, and names those', () => {
    const all = results(() => 0.5);
    const section = ablationSection(
      all.filter(({ learner, table }) => learner !== 'pack' && (!learner.endsWith('one-hot') || table !== 'chile')),
    );
    expect(section).toContain(
      '**Preliminary:** not in these tables, because folds are missing: pack (0 of 42 folds), one-hot (40 of 42 folds), trees, one-hot (40 of 42 folds).',
    );
    expect(cellsOf(section, LADDER[1]?.title ?? '')).toBeUndefined();
    expect(cellsOf(section, LADDER[2]?.title ?? '')?.slice(0, 4)).toEqual(['50.0', '–', '–', '–']);
    expect(cellsOf(section, 'one-hot')).toBeUndefined();
    expect(ablationSection(all.slice(0, 3))).toContain('No step is complete yet.');
    expect(ablationSection([])).toBe('Nothing was run yet.');
  });
});

describe('tables --ablation', () => {
  it('wants the folder of the tuning tables, whole', async () => {
    const folder = await temporaryFolder();
    const without = await runCommand(['tables', '--ablation'], { cwd: folder });
    expect(without.stderr).toContain('--tables-folder is missing; with --ablation, expected the folder that ');
    expect(without.code).toBe(2);
    await writeTable(folder);
    const other = await runCommand(['tables', '--ablation', '--tables-folder', folder], { cwd: folder });
    expect(other.stderr).toContain(`${folder} has no table ad-data, ames-condition, `);
    expect(other.code).toBe(2);
  });

  it('shows results that are there without the tables', async () => {
    const cwd = await temporaryFolder();
    const { code, stdout } = await runCommand(['tables', '--ablation', '--no-training', '--results', 'tuning.jsonl'], {
      cwd,
    });
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing was run yet.');
  });
});
