import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ComparisonTables } from '../../src/seven-tables/comparison-tables.js';
import { FoldResults, readFoldResults } from '../../src/seven-tables/fold-results.js';
import { temporaryFolder } from '../temporary-folder.js';
import { resultsOf } from './results.js';

const TABLES = ['one', 'two'];
const KEYS = resultsOf('', TABLES);

describe('the comparison', () => {
  it('has means over folds, then tables, and mean ranks; the best is bold', () => {
    // On table one: a 0.6 to 0.69, mean 0.645; b and c 0.5. On table two: a 0.4; b and c 0.5.
    const results = new FoldResults([
      ...resultsOf('a', TABLES, (table, repeat, fold) => ({
        balancedAccuracy: table === 'one' ? 0.6 + (5 * repeat + fold) / 100 : 0.4,
        logLoss: 0.25,
      })),
      ...resultsOf('b', TABLES),
      ...resultsOf('c', TABLES),
    ]);
    const [, , first, second] = new ComparisonTables(results, KEYS).means().split('\n');
    // Ranks of a: 1 and 3. Those of b and c: 2½ and 1½.
    expect(first).toMatch(/^\| a \| \*\*52\.3\*\* \(2\.0\) \|.*\| \*\*0\.250\*\* \(1\.0\) \|/);
    expect(second).toMatch(/^\| b \| 50\.0 \(2\.0\) \|.*\| 1\.000 \(2\.5\) \|/);
  });

  it('shows no mean of a learner whose folds are not all there, but the tables that it has', () => {
    const lines = [...resultsOf('a', TABLES), ...resultsOf('b', TABLES).slice(0, 13)];
    const tables = new ComparisonTables(new FoldResults(lines), KEYS);
    expect(tables.complete).toEqual(['a']);
    expect(tables.incomplete).toEqual([{ learner: 'b', folds: 13, of: 20 }]);
    expect(tables.means()).not.toContain('| b |');
    expect(tables.byTable('balancedAccuracy')).toContain('| b | **50.0** | – | – |');
  });

  it('takes of a learner that was configured in two ways only the later one', () => {
    const lines = [
      ...resultsOf('a', TABLES, () => ({ configuration: 'old', balancedAccuracy: 0.1 })),
      ...resultsOf('a', ['one'], () => ({ configuration: 'new', balancedAccuracy: 0.7 })),
    ];
    const tables = new ComparisonTables(new FoldResults(lines), KEYS);
    expect(tables.onTable('a', 'one', 'balancedAccuracy')).toBeCloseTo(0.7);
    expect(tables.onTable('a', 'two', 'balancedAccuracy')).toBeNull();
  });

  it('names a line that is no result', async () => {
    const file = join(await temporaryFolder(), 'results.jsonl');
    const [good] = resultsOf('a', ['one']);
    await writeFile(file, `${JSON.stringify(good)}\n${JSON.stringify({ ...good, gMean: 7 })}\n`);
    await expect(readFoldResults(file)).rejects.toThrow(`${file}: line 2 is not the result of a fold: `);
  });
});
