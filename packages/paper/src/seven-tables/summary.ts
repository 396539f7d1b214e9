import { type WrittenBlock, writeBlock } from '../documents/written-block.js';
import { ComparisonTables } from './comparison-tables.js';
import { OUR_LEARNER } from './fold-job.js';
import { type FoldResult, FoldResults } from './fold-results.js';
import { REPEATS } from './folds.js';
import { PEERS } from './peers.js';
import { foldRange, keysOf } from './selection.js';
import { SEVEN_TABLES } from './tables.js';

/** The part of `README.md` that is written from the comparison on the seven tables. */
export const TABLES_BLOCK: WrittenBlock = {
  name: 'tables',
  writtenBy: '`npm run tables -- --summary README.md` from the lines of results/tables',
};

/** What a reader of the README is likely to use now. */
const SHOWN = [OUR_LEARNER, 'LogisticRegression', 'BalancedRandomForest', 'RandomForest', 'HistGradientBoosting'];

/** Writes the summary into a document that has a place for it. */
export async function writeTablesSummary(file: string, lines: readonly FoldResult[]): Promise<void> {
  await writeBlock(file, TABLES_BLOCK, tablesSummary(lines));
}

/** One table and two sentences, for a reader who wants to know whether it is worth trying. */
export function tablesSummary(lines: readonly FoldResult[]): string {
  const tables = new ComparisonTables(new FoldResults(lines), keysOf(Object.keys(SEVEN_TABLES), REPEATS, foldRange()));
  const peers = tables.complete.filter((learner) => learner in PEERS);
  if (!tables.complete.includes(OUR_LEARNER) || peers.length === 0) return 'Not all of the results are there yet.';
  const shown = SHOWN.filter((learner) => tables.complete.includes(learner));
  return [
    tables.meansOf(
      shown,
      ['balancedAccuracy', 'macroAveragePrecision', 'logLoss', 'seconds'],
      'mean over seven tables',
    ),
    `Seconds are for one of the five test folds, on one core. [Table by table](docs/tables.md), compared with ${peers.length} other learners: ${placeOf(tables, peers)}.`,
  ].join('\n\n');
}

/** How often our learner is the best, and where it is furthest behind, by balanced accuracy. */
function placeOf(tables: ComparisonTables, peers: readonly string[]): string {
  const behind = tables.tables.map((table) => {
    const own = tables.onTable(OUR_LEARNER, table, 'balancedAccuracy') ?? Number.NaN;
    const best = Math.max(...peers.map((peer) => tables.onTable(peer, table, 'balancedAccuracy') ?? Number.NaN));
    return { table, points: 100 * (best - own) };
  });
  const first = behind.filter(({ points }) => points <= 0).length;
  const best = `${OUR_LEARNER} has the highest balanced accuracy on ${first} of the ${behind.length}`;
  const [worst] = behind.sort((a, b) => b.points - a.points);
  if (worst === undefined || worst.points <= 0) return best;
  return `${best}; on ${worst.table}, its worst, it is ${worst.points.toFixed(1)} percentage points behind the best of them`;
}
