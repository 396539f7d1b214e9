import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readComparison } from '../../src/seven-tables/comparison.js';
import { SEVEN_TABLES, tableFile } from '../../src/seven-tables/seven-tables.js';
import { readTuningRanking } from '../../src/seven-tables/tuning-ranking.js';
import { writeComparisonPage } from '../../src/seven-tables/write-comparison-page.js';
import { temporaryFolder } from '../temporary-folder.js';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

it('docs/tables.md is what the stored results and the present defaults give', async (context) => {
  const missing = SEVEN_TABLES.map(tableFile).find((file) => !existsSync(file));
  context.skip(missing !== undefined, `there is no ${missing}`);
  const results = join(repository, 'results', 'tables');
  const page = join(await temporaryFolder(), 'tables.md');
  const [comparison, ranking] = [
    await readComparison(join(results, 'results.jsonl')),
    await readTuningRanking(join(results, 'tuning.jsonl')),
  ];
  await writeComparisonPage(page, comparison, ranking);
  expect(await readFile(page, 'utf8')).toBe(await readFile(join(repository, 'docs', 'tables.md'), 'utf8'));
});
