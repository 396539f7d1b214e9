import { counted } from 'evenhand/report';
import { signed } from '../numbers.js';
import { type MetricName, PAPER_METHODS, paperGain, paperNumber, TABLES } from '../tables/tables.js';
import { metricIn } from './comparison.js';
import { isPartial } from './missing.js';
import { divergedSeeds, type ResultTable } from './results.js';
import { type Statement, verdictOnAll, verdictOnMost } from './statement.js';
import {
  ENHANCEMENT_TO_ONE_HOT,
  type MethodPair,
  type Outcome,
  outcomeOf,
  type TestedComparison,
  testedComparisons,
} from './tested-comparisons.js';
import { METRIC_TITLES, tableTitle } from './titles.js';

/** What the paper's text says about its tables of accuracies. */
export function accuracyStatements(tables: readonly ResultTable[]): Statement[] {
  return tables.flatMap((table) => {
    const { metrics } = TABLES[table.name];
    return [
      ...metrics.map((metric) => aheadOfOneHot(table, metric)),
      ...(metrics.includes('minority') ? [muchHigherMinority(table)] : []),
      ...metrics.filter((metric) => metric !== 'top5').map((metric) => bestOfAll(table, metric)),
      ablation(table, 're-weighting'),
      ablation(table, 'cost-sensitiveness'),
    ];
  });
}

function aheadOfOneHot(table: ResultTable, metric: MetricName): Statement {
  const tested = testedComparisons(table, [ENHANCEMENT_TO_ONE_HOT]).filter((one) => one.metric === metric);
  const outcomes = tested.map(outcomeOf);
  const paper = table.rows.flatMap((row) => paperGain(row, metric) ?? []);
  return {
    claim: `${tableTitle(table)}: with each of the losses, enhancement is ahead of one-hot (${METRIC_TITLES[metric]}).`,
    measured:
      tested.length === 0
        ? 'No row has both methods for the same seed.'
        : `${capital(tally(outcomes))} of ${rowsRun(tested.length, table)}; differences of ${span(tested)} percentage points (the paper: ${spanOf(paper)}).${divergence(table)}`,
    // Where enhancement always diverges, it is not ahead.
    verdict: verdictOnAll([...outcomes, ...lostRows(table, metric)], isPartial(table)),
  };
}

/** “Much” is not defined in the paper. */
function muchHigherMinority(table: ResultTable): Statement {
  const tested = testedComparisons(table, [ENHANCEMENT_TO_ONE_HOT]).filter(({ metric }) => metric === 'minority');
  const outcomes = tested.map((one): Outcome => {
    const outcome = outcomeOf(one);
    const deviation = metricIn(one.row, 'one-hot', 'minority')?.deviation ?? null;
    const isMuch = deviation !== null && one.gain.meanDifference > 2 * deviation;
    return outcome === 'ahead' && !isMuch ? 'cannot tell' : outcome;
  });
  return {
    claim: `${tableTitle(table)}: the minority accuracy of enhancement is much higher than that of one-hot.`,
    measured:
      tested.length === 0
        ? 'No row has both methods for the same seed.'
        : `${capital(tally(outcomes))} of ${rowsRun(tested.length, table)} (${span(tested)} percentage points); ahead is by more than twice one-hot’s standard deviation over seeds as well.`,
    verdict: verdictOnAll(outcomes, isPartial(table)),
  };
}

/** In the paper's tables, enhancement is printed in bold. */
function bestOfAll(table: ResultTable, metric: MetricName): Statement {
  const others = PAPER_METHODS.filter((method) => method !== 'enhancement');
  const pairs = others.map((method): MethodPair => ['enhancement', method]);
  const tested = testedComparisons(table, pairs).filter((one) => one.metric === metric);
  const against = others.flatMap((method) => {
    const own = tested.filter(({ pair: [, baseline] }) => baseline === method);
    return own.length === 0 ? [] : [`against ${method} ${tally(own.map(outcomeOf))} of ${counted(own.length, 'row')}`];
  });
  return {
    claim: `${tableTitle(table)}: in every row, enhancement is the best of the four methods (${METRIC_TITLES[metric]}).`,
    measured:
      against.length === 0 ? 'No row has two of the methods for the same seed.' : `${capital(against.join('; '))}.`,
    verdict: verdictOnAll([...tested.map(outcomeOf), ...lostRows(table, metric)], isPartial(table)),
  };
}

function ablation(table: ResultTable, method: 're-weighting' | 'cost-sensitiveness'): Statement {
  const tested = testedComparisons(table, [[method, 'one-hot']]);
  const { metrics } = TABLES[table.name];
  const cases = table.rows.flatMap((row) => metrics.map((metric) => ({ row, metric })));
  const paper = cases.filter(
    ({ row, metric }) =>
      (paperNumber(row, method, metric)?.mean ?? 0) > (paperNumber(row, 'one-hot', metric)?.mean ?? 0),
  ).length;
  const outcomes = tested.map(outcomeOf);
  return {
    claim: `${tableTitle(table)}: ${method} alone is better than one-hot in most situations.`,
    measured:
      tested.length === 0
        ? 'No row has both methods for the same seed.'
        : `${capital(tally(outcomes))} of ${counted(tested.length, 'comparison')}, all rows and metrics that were run; in the paper a higher mean in ${paper} of ${cases.length}.`,
    verdict: verdictOnMost(outcomes, isPartial(table)),
  };
}

/** Rows in which every seed of enhancement diverged count against it. */
function lostRows(table: ResultTable, metric: MetricName): Outcome[] {
  return table.rows
    .filter((row) => metricIn(row, 'enhancement', metric) === undefined && divergedSeeds(row, 'enhancement') > 0)
    .map(() => 'behind');
}

/** What else was run of enhancement. */
function divergence({ rows }: ResultTable): string {
  const seeds = rows.reduce((sum, row) => sum + divergedSeeds(row, 'enhancement'), 0);
  return seeds === 0 ? '' : ` ${counted(seeds, 'seed')} of enhancement diverged.`;
}

/** `ahead in 2, behind in 0, cannot tell in 4` */
function tally(outcomes: readonly Outcome[]): string {
  const count = (which: Outcome) => outcomes.filter((outcome) => outcome === which).length;
  return `ahead in ${count('ahead')}, behind in ${count('behind')}, cannot tell in ${count('cannot tell')}`;
}

/** `6 rows`, or `1 row (2 others not run)` */
function rowsRun(run: number, { rows }: ResultTable): string {
  const missing = rows.length - run;
  return `${counted(run, 'row')}${missing === 0 ? '' : ` (${counted(missing, 'other')} not run)`}`;
}

function span(tested: readonly TestedComparison[]): string {
  return spanOf(tested.map(({ gain }) => gain.meanDifference));
}

/** `+0.17 to +2.29` */
function spanOf(values: readonly number[]): string {
  const [low, high] = [signed(Math.min(...values)), signed(Math.max(...values))];
  return low === high ? low : `${low} to ${high}`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
