import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { variantHash } from '../../src/seven-tables/fold-job.js';
import { type FoldResult, readFoldResults } from '../../src/seven-tables/fold-results.js';
import { PEERS } from '../../src/seven-tables/peers.js';
import { SEVEN_TABLES } from '../../src/seven-tables/tables.js';
import { comparisonPage } from '../../src/seven-tables/write-comparison-page.js';
import { resultsOf } from './results.js';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const TABLES = Object.keys(SEVEN_TABLES);
const peers = Object.keys(PEERS).flatMap((peer) => resultsOf(peer, TABLES, () => ({ version: 'library 1.0' })));

/** Our learner with the present defaults. */
function ours(measures: (table: string) => Partial<FoldResult>): FoldResult[] {
  return resultsOf('evenhand', TABLES, (table) => ({ configuration: variantHash({}), ...measures(table) }));
}

it('docs/tables.md is what the stored results and the present defaults give', async () => {
  const lines = await Promise.all(
    ['evenhand.jsonl', 'peers.jsonl'].map((file) => readFoldResults(join(repository, 'results', 'tables', file))),
  );
  expect(comparisonPage(lines.flat())).toBe(await readFile(join(repository, 'docs', 'tables.md'), 'utf8'));
});

describe('the page', () => {
  it('says what speaks for our learner and what against it', () => {
    const page = comparisonPage([
      ...ours((table) => ({
        balancedAccuracy: table === 'glass' ? 0.46 : 0.6,
        macroAveragePrecision: 0.4,
        logLoss: 1.5,
      })),
      ...peers.map((line) => (line.learner === 'SVC' ? { ...line, logLoss: 2, macroAveragePrecision: 0.55 } : line)),
    ]);
    // (6 · 60 + 46) / 7 = 58.
    expect(page).toContain('- Mean balanced accuracy: 58.0, +8.0 compared with LogisticRegression (50.0).');
    expect(page).toContain(
      '- Macro average precision: 40.0, −10.0 compared with LogisticRegression (50.0); 40.0, −15.0 compared with SVC (55.0).',
    );
    expect(page).toContain(
      '1.500, not below that of LogisticRegression (1.000), RandomForest (1.000), HistGradientBoosting (1.000).',
    );
    expect(page).toContain(
      "more than 3 percentage points behind the best peer's: glass (−4.0 compared with LogisticRegression).",
    );
    expect(page).not.toContain('Preliminary');
    expect(page).not.toContain('Out of date');
  });

  it('has no miss where none is more than 3 points', () => {
    const page = comparisonPage([...ours(() => ({ balancedAccuracy: 0.48, logLoss: 0.5 })), ...peers]);
    expect(page).toContain("behind the best peer's: none.");
    expect(page).toContain('0.500, below that of every class-weighted peer.');
  });

  it('is written of what is there, and says what is missing', () => {
    const page = comparisonPage([...ours(() => ({})), ...resultsOf('RandomForest', TABLES).slice(0, 33)]);
    expect(page).toContain(
      '**Preliminary:** not in this table, because results are missing: RandomForest (33 of 70 folds), ',
    );
    expect(page).toContain('LogisticRegression (none)');
    expect(comparisonPage([])).toContain('Nothing can be said yet: evenhand does not have results for all folds.');
  });

  it('says that our results are of other defaults', () => {
    const page = comparisonPage([...resultsOf('evenhand', TABLES, () => ({ configuration: 'another' })), ...peers]);
    expect(page).toContain(
      '**Out of date:** the results of evenhand were measured with other defaults than the current ones.',
    );
  });
});
