import { counted } from 'evenhand/report';
import { points } from '../numbers.js';
import { type MetricName, paperNumber } from '../tables/tables.js';
import { metricIn } from './comparison.js';
import { divergedSeeds, type ResultRow } from './results.js';
import { differenceText, outcomeOf, probabilityText, type TestedComparison } from './tested-comparisons.js';

/** What an outcome means for the paper, in every row of which enhancement is ahead. */
const VERDICTS = { ahead: 'Agrees', behind: 'Disagrees', 'cannot tell': 'Cannot tell' } as const;

/** Whether we find what the paper found, in words; without a verdict where the table is incomplete. */
export function agreement(tested: TestedComparison, isPartial: boolean): string {
  const { row, metric, gain, corrected } = tested;
  const verdict = isPartial ? 'No verdict, the table is incomplete' : VERDICTS[outcomeOf(tested)];
  const p = corrected === null ? '' : `, p ${equation(probabilityText(corrected))} after the correction`;
  return (
    `${verdict}: ${differenceText(gain)} percentage points over ${counted(gain.pairs, 'seed')}${p}. ` +
    `${levels(row, metric)}.${divergence(row)}`
  );
}

function equation(p: string): string {
  return p.startsWith('<') ? p : `= ${p}`;
}

function divergence(row: ResultRow): string {
  const counts = (['one-hot', 'enhancement'] as const).flatMap((method) => {
    const seeds = divergedSeeds(row, method);
    return seeds === 0 ? [] : [`${counted(seeds, 'seed')} of ${method}`];
  });
  return counts.length === 0 ? '' : ` Diverged, and not in the means: ${counts.join(' and ')}.`;
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
