import type { PairedComparison } from 'evenhand/evaluation';
import { counted } from 'evenhand/report';
import { signed } from '../numbers.js';
import { type MetricName, PAPER_METHODS, PAPER_SEEDS, paperGain, paperNumber, TABLES } from '../tables/tables.js';
import { gainIn, isAhead, metricIn, SIGNIFICANT } from './comparison.js';
import { divergedSeeds, type ResultTable } from './results.js';
import { allOf, mostOf, type Statement } from './statement.js';
import { METRIC_TITLES, tableTitle } from './titles.js';

/** What the paper's text says about its tables of accuracies. */
export function accuracyStatements(tables: readonly ResultTable[]): Statement[] {
  return [
    ...tables.flatMap((table) => TABLES[table.name].metrics.map((metric) => aheadOfOneHot(table, metric))),
    ...tables.filter(({ name }) => TABLES[name].metrics.includes('minority')).map(muchHigherMinority),
    ...tables.flatMap((table) =>
      TABLES[table.name].metrics.filter((metric) => metric !== 'top5').map((metric) => bestOfAll(table, metric)),
    ),
    ablation(tables, 're-weighting'),
    ablation(tables, 'cost-sensitiveness'),
  ];
}

function aheadOfOneHot(table: ResultTable, metric: MetricName): Statement {
  const gains = table.rows.flatMap((row) => gainIn(row, metric) ?? []);
  const differences = gains.map(({ meanDifference }) => meanDifference);
  const ahead = gains.filter(isAhead);
  const beyondChance = ahead.filter(({ tTest }) => tTest.value !== null && tTest.value < SIGNIFICANT).length;
  const paper = table.rows.flatMap((row) => paperGain(row, metric) ?? []);
  const lost = table.rows.filter((row) => gainIn(row, metric) === undefined && divergedSeeds(row, 'enhancement') > 0);
  return {
    claim: `${tableTitle(table)}: with each of the losses, enhancement is ahead of one-hot (${METRIC_TITLES[metric]}).`,
    measured:
      gains.length === 0
        ? NO_PAIRS
        : `Ahead in ${ahead.length} of ${rowsRun(gains.length, table)}, by ${span(differences)} points (the paper: ${span(paper)}); p < ${SIGNIFICANT} in the t-test in ${beyondChance}.${divergence(table)}`,
    // Where enhancement always diverges, it is not ahead.
    verdict: allOf(ahead.length, gains.length + lost.length, hasAllSeeds(gains, table)),
  };
}

/** “Much” is not defined in the paper. */
function muchHigherMinority(table: ResultTable): Statement {
  const cases = table.rows.flatMap((row) => {
    const gain = gainIn(row, 'minority');
    const oneHot = metricIn(row, 'one-hot', 'minority');
    const deviation = oneHot?.deviation ?? null;
    return gain === undefined || deviation === null ? [] : [{ ...gain, deviation }];
  });
  const higher = cases.filter(isAhead).length;
  const much = cases.filter(({ meanDifference, deviation }) => meanDifference > 2 * deviation).length;
  const differences = cases.map(({ meanDifference }) => meanDifference);
  const verdict = allOf(much, cases.length, hasAllSeeds(cases, table));
  return {
    claim: `${tableTitle(table)}: the minority accuracy of enhancement is much higher than that of one-hot.`,
    measured:
      cases.length === 0
        ? 'No row has both methods, and two seeds of one-hot.'
        : `Higher in ${higher} of ${rowsRun(cases.length, table)} (${span(differences)} points); by more than twice one-hot’s standard deviation over seeds in ${much}.`,
    verdict: much === 0 && higher > 0 ? 'partly' : verdict,
  };
}

/** In the paper's tables, enhancement is printed in bold. */
function bestOfAll(table: ResultTable, metric: MetricName): Statement {
  const others = PAPER_METHODS.filter((method) => method !== 'enhancement');
  const gains = table.rows.map((row) => others.map((method) => gainIn(row, metric, 'enhancement', method)));
  const full = gains
    .map((row) => row.filter((gain) => gain !== undefined))
    .filter(({ length }) => length === others.length);
  const best = full.filter((row) => row.every(isAhead)).length;
  const against = others.flatMap((method, i) => {
    const known = gains.flatMap((row) => row[i] ?? []);
    return known.length === 0 ? [] : [`ahead of ${method} in ${known.filter(isAhead).length} of ${known.length}`];
  });
  const first =
    full.length === 0
      ? 'No row has all four methods'
      : `Ahead of all others in ${best} of ${counted(full.length, 'row')} with all four methods`;
  return {
    claim: `${tableTitle(table)}: in every row, enhancement is the best of the four methods (${METRIC_TITLES[metric]}).`,
    measured: `${[first, ...against].join(', ')}.`,
    verdict: allOf(best, full.length, full.length === table.rows.length && full.every((row) => row.every(hasSeeds))),
  };
}

function ablation(tables: readonly ResultTable[], method: 're-weighting' | 'cost-sensitiveness'): Statement {
  const casesOf = (some: readonly ResultTable[]) =>
    some.flatMap(({ name, rows }) => TABLES[name].metrics.flatMap((metric) => rows.map((row) => ({ row, metric }))));
  const all = casesOf(tables);
  const ours = all.flatMap(({ row, metric }) => gainIn(row, metric, method) ?? []);
  // A table that was run at two scales is one table of the paper's.
  const cases = casesOf([...new Map(tables.map((table) => [table.name, table])).values()]);
  const better = ours.filter(isAhead).length;
  const paper = cases.filter(
    ({ row, metric }) =>
      (paperNumber(row, method, metric)?.mean ?? 0) > (paperNumber(row, 'one-hot', metric)?.mean ?? 0),
  ).length;
  return {
    claim: `${method} alone is better than one-hot in most situations.`,
    measured: `A higher mean in ${better} of ${ours.length} comparisons, all rows and metrics that were run; in the paper in ${paper} of ${cases.length}.`,
    verdict: mostOf(better, ours.length, ours.length === all.length && ours.every(hasSeeds)),
  };
}

const NO_PAIRS = 'No row has both methods for the same seed.';

function hasSeeds({ pairs }: PairedComparison): boolean {
  return pairs >= PAPER_SEEDS;
}

/** Whether every row of a table is among these, with as many seeds as the paper's. */
function hasAllSeeds(gains: readonly PairedComparison[], { rows }: ResultTable): boolean {
  return gains.length === rows.length && gains.every(hasSeeds);
}

/** What else was run of enhancement. */
function divergence({ rows }: ResultTable): string {
  const seeds = rows.reduce((sum, row) => sum + divergedSeeds(row, 'enhancement'), 0);
  return seeds === 0 ? '' : ` ${counted(seeds, 'seed')} of enhancement diverged.`;
}

/** `6 rows`, or `1 row (2 others cannot be told yet)` */
function rowsRun(run: number, { rows }: ResultTable): string {
  const missing = rows.length - run;
  return `${counted(run, 'row')}${missing === 0 ? '' : ` (${counted(missing, 'other')} cannot be told yet)`}`;
}

/** `+0.17 to +2.29` */
function span(values: readonly number[]): string {
  const [low, high] = [signed(Math.min(...values)), signed(Math.max(...values))];
  return low === high ? low : `${low} to ${high}`;
}
