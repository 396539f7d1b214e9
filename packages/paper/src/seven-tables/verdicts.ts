import { signed } from '../documents/markdown-table.js';
import type { ComparisonTables } from './comparison-tables.js';
import { OUR_LEARNER } from './fold-job.js';
import type { MeasureName } from './fold-results.js';
import { PEERS } from './peers.js';

/** Percentage points of balanced accuracy by which we may be behind the best peer on a table before it is called a miss. */
const TOLERATED = 3;
const BASELINE = 'LogisticRegression';

/** What the comparison says for and against our learner, as a list; what cannot be said yet is said to be so. */
export function verdicts(tables: ComparisonTables): string {
  if (tables.mean(OUR_LEARNER, 'balancedAccuracy') === null) {
    return `Nothing can be said yet: ${OUR_LEARNER} does not have results for all folds.`;
  }
  return [balancedAccuracy(tables), averagePrecision(tables), logLoss(tables), misses(tables)]
    .map((text) => `- ${text}`)
    .join('\n');
}

function balancedAccuracy(tables: ComparisonTables): string {
  const best = bestPeer(tables, 'balancedAccuracy');
  return `Mean balanced accuracy: ${against(tables, 'balancedAccuracy', best)}.`;
}

function averagePrecision(tables: ComparisonTables): string {
  const best = bestPeer(tables, 'macroAveragePrecision');
  const others = best === BASELINE ? [best] : [BASELINE, best];
  return `Macro average precision: ${others.map((peer) => against(tables, 'macroAveragePrecision', peer)).join('; ')}.`;
}

function logLoss(tables: ComparisonTables): string {
  const own = tables.mean(OUR_LEARNER, 'logLoss');
  const weighted = tables.complete.filter((learner) => PEERS[learner]?.classWeighted === true);
  const lower = weighted.filter((peer) => (tables.mean(peer, 'logLoss') ?? Number.NaN) <= (own ?? Number.NaN));
  const text = lower.map((peer) => `${peer} (${tables.mean(peer, 'logLoss')?.toFixed(3)})`).join(', ');
  const verdict = lower.length === 0 ? 'below that of every class-weighted peer' : `not below that of ${text}`;
  return `Log-loss of the probabilities: ${own?.toFixed(3)}, ${weighted.length === 0 ? 'with no class-weighted peer to compare' : verdict}.`;
}

/** Tables on which a peer is clearly better. */
function misses(tables: ComparisonTables): string {
  const missed = tables.tables.flatMap((table) => {
    const own = tables.onTable(OUR_LEARNER, table, 'balancedAccuracy') ?? Number.NaN;
    const peers = Object.keys(PEERS)
      .map((peer) => ({ peer, value: tables.onTable(peer, table, 'balancedAccuracy') ?? Number.NEGATIVE_INFINITY }))
      .sort((a, b) => b.value - a.value);
    const [best] = peers;
    if (best === undefined || 100 * (best.value - own) <= TOLERATED) return [];
    return [`${table} (${signed(100 * (own - best.value))} compared with ${best.peer})`];
  });
  const which = missed.length === 0 ? 'none' : missed.join(', ');
  return `Tables on which balanced accuracy is more than ${TOLERATED} percentage points behind the best peer's: ${which}.`;
}

/** The peer with the best mean, of those that are complete. */
function bestPeer(tables: ComparisonTables, measure: MeasureName): string | undefined {
  return tables.complete
    .filter((learner) => learner in PEERS)
    .sort((a, b) => (tables.mean(b, measure) ?? 0) - (tables.mean(a, measure) ?? 0))[0];
}

function against(tables: ComparisonTables, measure: MeasureName, peer: string | undefined): string {
  const own = 100 * (tables.mean(OUR_LEARNER, measure) ?? Number.NaN);
  const other = peer === undefined ? null : tables.mean(peer, measure);
  if (other === null) return `${own.toFixed(1)}, and ${peer ?? 'a peer'} has no results for all folds`;
  return `${own.toFixed(1)}, ${signed(own - 100 * other)} compared with ${peer} (${(100 * other).toFixed(1)})`;
}
