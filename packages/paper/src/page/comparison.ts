import type { PairedComparison } from 'evenhand/evaluation';
import { counted } from 'evenhand/report';
import { points, probability, signed } from '../numbers.js';
import { gainOver, type MetricSummary } from '../results/summarise.js';
import type { CellMethod } from '../tables/cell-methods.js';
import { type MetricName, type PaperMethod, paperNumber } from '../tables/tables.js';
import { divergedSeeds, type ResultRow } from './results.js';

/** Below this, a difference is called more than the chance of the seed; chance in drawing the images is another matter. */
export const SIGNIFICANT = 0.05;

/** A method's metric in a row over its seeds; undefined where nothing was run. */
export function metricIn({ summary }: ResultRow, method: CellMethod, metric: MetricName): MetricSummary | undefined {
  return summary?.methods.find((known) => known.method === method)?.metrics.find((known) => known.metric === metric);
}

/** A method against another in a row, on the table's own images; undefined where no seed has both. */
export function gainIn(
  { cells }: ResultRow,
  metric: MetricName,
  method: PaperMethod = 'enhancement',
  baseline: PaperMethod = 'one-hot',
): PairedComparison | undefined {
  const ofTable = cells.filter(({ subset }) => subset === 0);
  return gainOver(ofTable, metric, method, baseline);
}

/** Whether a method is ahead by as much as can be seen in a table. */
export function isAhead({ meanDifference }: PairedComparison): boolean {
  return signed(meanDifference).startsWith('+');
}

/** Whether we find what the paper found, in words. In every row of the paper, enhancement is ahead. */
export function agreement(row: ResultRow, metric: MetricName, gain: PairedComparison): string {
  return `${outcome(gain)}. ${levels(row, metric)}.${divergence(row)}`;
}

function outcome(gain: PairedComparison): string {
  const size = points(Math.abs(gain.meanDifference));
  if (size === '0.00') return `Undecided: enhancement is level over ${counted(gain.pairs, 'seed')}`;
  const [verdict, place] = isAhead(gain) ? ['Agrees', 'ahead'] : ['Disagrees', 'behind'];
  return `${isByChance(gain) ? 'Undecided' : verdict}: enhancement is ${size} points ${place}, ${chance(gain)}`;
}

/** Whether the seeds alone could make the difference. */
function isByChance({ tTest }: PairedComparison): boolean {
  return tTest.value === null || tTest.value >= SIGNIFICANT;
}

function divergence(row: ResultRow): string {
  const counts = (['one-hot', 'enhancement'] as const).flatMap((method) => {
    const seeds = divergedSeeds(row, method);
    return seeds === 0 ? [] : [`${counted(seeds, 'seed')} of ${method}`];
  });
  return counts.length === 0 ? '' : ` Diverged, and not in the means: ${counts.join(' and ')}.`;
}

function chance(gain: PairedComparison): string {
  const { tTest, pairs } = gain;
  if (tTest.value === null) return pairs === 1 ? 'with one seed only' : `over ${counted(pairs, 'seed')}`;
  const p = probability(tTest);
  const verdict = isByChance(gain) ? 'which may be chance' : 'more than the seed’s chance';
  return `${verdict} over ${counted(pairs, 'seed')} (p ${p.startsWith('<') ? p : `= ${p}`})`;
}

/** Where our means stand to those of the paper. */
function levels(row: ResultRow, metric: MetricName): string {
  const [enhancement, oneHot] = (['enhancement', 'one-hot'] as const).map((method) => {
    const difference = (metricIn(row, method, metric)?.mean ?? 0) - (paperNumber(row, method, metric)?.mean ?? 0);
    const size = points(Math.abs(difference));
    return size === '0.00' ? 'at the paper’s number' : `${size} ${difference > 0 ? 'above' : 'below'} the paper’s`;
  });
  return `Enhancement is ${enhancement}, one-hot ${oneHot}`;
}
