import { type MetricName, PAPER_METHODS, type PaperMethod, TABLES } from '../tables.js';
import { gainIn, metricIn, paperGain, paperNumber, SIGNIFICANT } from './comparison.js';
import { counted, signed } from './numbers.js';
import type { ResultRow, ResultTable } from './results.js';
import { allOf, mostOf, type Statement, type Verdict } from './statement.js';
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
  const ahead = differences.filter((difference) => difference > 0).length;
  const beyondChance = gains.filter(
    ({ meanDifference, tTest }) => meanDifference > 0 && tTest.value !== null && tTest.value < SIGNIFICANT,
  ).length;
  const paper = table.rows.map((row) => paperGain(row, metric));
  return {
    claim: `${tableTitle(table)}: with each of the losses, enhancement is ahead of one-hot (${METRIC_TITLES[metric]}).`,
    measured:
      gains.length === 0
        ? 'Nothing was run.'
        : `Ahead in ${ahead} of ${rowsRun(gains.length, table)}, by ${span(differences)} points (the paper: ${span(paper)}); p < ${SIGNIFICANT} in the t-test in ${beyondChance}.`,
    verdict: allOf(ahead, gains.length, table.rows.length),
  };
}

/** “Much” is not defined in the paper. */
function muchHigherMinority(table: ResultTable): Statement {
  const cases = table.rows.flatMap((row) => {
    const gain = gainIn(row, 'minority');
    const oneHot = metricIn(row, 'one-hot', 'minority');
    if (gain === undefined || oneHot === undefined) return [];
    return [{ difference: gain.meanDifference, deviation: oneHot.deviation }];
  });
  const higher = cases.filter(({ difference }) => difference > 0).length;
  const much = cases.filter(({ difference, deviation }) => deviation !== null && difference > 2 * deviation).length;
  const differences = cases.map(({ difference }) => difference);
  return {
    claim: `${tableTitle(table)}: the minority accuracy of enhancement is much higher than that of one-hot.`,
    measured:
      cases.length === 0
        ? 'Nothing was run.'
        : `Higher in ${higher} of ${rowsRun(cases.length, table)} (${span(differences)} points); by more than twice one-hot’s standard deviation over seeds in ${much}.`,
    verdict: muchVerdict(much, higher, cases.length, table.rows.length),
  };
}

function muchVerdict(much: number, higher: number, run: number, cases: number): Verdict {
  const verdict = allOf(much, run, cases);
  return verdict === 'disagrees' && higher > 0 ? 'partly' : verdict;
}

/** In the paper's tables, enhancement is printed in bold. */
function bestOfAll(table: ResultTable, metric: MetricName): Statement {
  const others = PAPER_METHODS.filter((method) => method !== 'enhancement');
  const wins = table.rows.map((row) => others.map((method) => isAhead(row, 'enhancement', method, metric)));
  const complete = wins.filter((row) => row.every((won) => won !== undefined));
  const best = complete.filter((row) => row.every(Boolean)).length;
  const against = others.flatMap((method, i) => {
    const known = wins.map((row) => row[i]).filter((won) => won !== undefined);
    return known.length === 0 ? [] : [`ahead of ${method} in ${known.filter(Boolean).length} of ${known.length}`];
  });
  const first =
    complete.length === 0
      ? 'No row has all four methods'
      : `The best mean in ${best} of ${counted(complete.length, 'row')} with all four methods`;
  return {
    claim: `${tableTitle(table)}: in every row, enhancement is the best of the four methods (${METRIC_TITLES[metric]}).`,
    measured: `${[first, ...against].join(', ')}.`,
    verdict: allOf(best, complete.length, table.rows.length),
  };
}

function ablation(tables: readonly ResultTable[], method: 're-weighting' | 'cost-sensitiveness'): Statement {
  const cases = tables.flatMap(({ name, rows }) =>
    TABLES[name].metrics.flatMap((metric) => rows.map((row) => ({ row, metric }))),
  );
  const ours = cases
    .map(({ row, metric }) => isAhead(row, method, 'one-hot', metric))
    .filter((ahead) => ahead !== undefined);
  const better = ours.filter(Boolean).length;
  const paper = cases.filter(
    ({ row, metric }) => paperNumber(row, method, metric).mean > paperNumber(row, 'one-hot', metric).mean,
  ).length;
  return {
    claim: `${method} alone is better than one-hot in most situations.`,
    measured: `A higher mean in ${better} of ${ours.length} comparisons, all rows and metrics that were run; in the paper in ${paper} of ${cases.length}.`,
    verdict: mostOf(better, ours.length, cases.length),
  };
}

/** Whether a method's mean is above another's; undefined if one was not run. */
function isAhead(row: ResultRow, method: PaperMethod, other: PaperMethod, metric: MetricName): boolean | undefined {
  const [ours, theirs] = [metricIn(row, method, metric), metricIn(row, other, metric)];
  return ours === undefined || theirs === undefined ? undefined : ours.mean > theirs.mean;
}

/** `6 rows`, or `1 row (2 others were not run)` */
function rowsRun(run: number, { rows }: ResultTable): string {
  const missing = rows.length - run;
  const others = missing === 0 ? '' : ` (${missing} other${missing === 1 ? ' was' : 's were'} not run)`;
  return `${counted(run, 'row')}${others}`;
}

/** `+0.17 to +2.29` */
function span(values: readonly number[]): string {
  const [low, high] = [signed(Math.min(...values)), signed(Math.max(...values))];
  return low === high ? low : `${low} to ${high}`;
}
