import type { PairedComparison } from 'evenhand/evaluation';
import { counted, NONE } from 'evenhand/report';
import { at } from '../checked-access.js';
import { markdownTable } from '../documents/markdown-table.js';
import { type WrittenBlock, writeBlock } from '../documents/written-block.js';
import { holmCorrected } from '../holm.js';
import { points, probability, signed, spreadInPercent } from '../numbers.js';
import {
  compareDraws,
  compareRuns,
  drawsOf,
  isComplete,
  meanOf,
  RAREST,
  type RowResults,
  rarestRecall,
  reservedTop1,
  resultsOf,
  runsOfDraw,
  type Score,
  testTop1,
} from './comparison.js';
import { BUDGET_ROWS, LOGIT_ADJUSTMENT, ONE_HOT } from './rows.js';
import type { RunLine } from './run-lines.js';
import { ALL_RUNS, type BudgetSelection, budgetRuns } from './runs.js';
import { triedRates } from './tried-rates.js';

/** The part of `docs/method.md` that is written from the results. */
export const BUDGET_BLOCK: WrittenBlock = {
  name: 'equal budget',
  writtenBy: '`npm run budget` from the lines of results/budget/mnist.jsonl',
};

/** Writes the tables about the results that are there into the page about the method. */
export async function writeBudgetSection(file: string, lines: readonly RunLine[]): Promise<void> {
  await writeBlock(file, BUDGET_BLOCK, budgetSection(lines));
}

/** Tables and what they say, as Markdown. It says which results are missing. */
export function budgetSection(lines: readonly RunLine[], selection: BudgetSelection = ALL_RUNS): string {
  const all = resultsOf(BUDGET_ROWS, budgetRuns(selection), lines);
  const compared = all.filter(({ row, runs }) => row.role === 'compared' && runs.length > 0);
  if (compared.length === 0) return 'Nothing was run yet.';
  return [
    comparison(compared),
    missing(all),
    best(all.filter(({ row }) => row.role === 'compared')),
    '**The draw matters.** Mean top-1 on the test images for each draw, and the same differences with the means of the draws as the pairs:',
    byDraw(compared),
    triedRates(all),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The rows that others are compared with, and what the columns call them. */
const BASELINES = [
  [LOGIT_ADJUSTMENT, 'logit adjustment'],
  [ONE_HOT, 'one-hot'],
] as const;

function comparison(rows: readonly RowResults[]): string {
  const against = BASELINES.map(([name]) => {
    const comparisons = comparedWith(rows, name, compareRuns);
    const corrected = holmCorrected(comparisons.map((own) => own?.tTest.value ?? null));
    return comparisons.flatMap((own, i) => [[difference(own), p(at(corrected, i))]]);
  });
  return markdownTable(
    [
      'trained with',
      'runs',
      'top-1, %',
      `recall of ${RAREST.slice(0, -1).join(', ')} and ${RAREST.at(-1)}, %`,
      'top-1, reserved images, %',
      ...BASELINES.flatMap(([, title]) => [`vs. ${title}`, 'p']),
    ],
    rows.map((row, i) => [
      row.row.title,
      isComplete(row) ? String(row.expected) : `${row.runs.length} of ${row.expected}`,
      spread(row, testTop1),
      spread(row, rarestRecall),
      spread(row, reservedTop1),
      ...against.flatMap((column) => at(column, i)),
    ]),
  );
}

function byDraw(rows: readonly RowResults[]): string {
  const draws = [...new Set(rows.flatMap(drawsOf))].sort((a, b) => a - b);
  const comparisons = BASELINES.map(([name]) => comparedWith(rows, name, compareDraws));
  return markdownTable(
    [
      'trained with',
      ...draws.map((draw) => `draw ${draw}`),
      ...BASELINES.flatMap(([, title]) => [`vs. ${title}`, 'p']),
    ],
    rows.map((row, i) => [
      row.row.title,
      ...draws.map((draw) => {
        const mean = meanOf(runsOfDraw(row, draw), testTop1);
        return mean === null ? NONE : points(mean);
      }),
      ...comparisons.flatMap((column) => {
        const own = at(column, i);
        return [difference(own), p(own?.tTest.value ?? null)];
      }),
    ]),
  );
}

type Compare = (ours: RowResults, theirs: RowResults, score: Score) => PairedComparison | null;

/** Every row against a baseline, on the test images; null for the baseline itself and where it has no results. */
function comparedWith(rows: readonly RowResults[], baseline: string, compare: Compare): (PairedComparison | null)[] {
  const theirs = rows.find(({ row }) => row.name === baseline);
  return rows.map((ours) => (theirs === undefined || ours === theirs ? null : compare(ours, theirs, testTop1)));
}

/** The row that is best on the images that choices are made by. */
function best(rows: readonly RowResults[]): string {
  const ranked = rows
    .filter(isComplete)
    .map((own) => ({ own, mean: meanOf(own.runs, reservedTop1) ?? Number.NaN }))
    .sort((a, b) => b.mean - a.mean);
  const [first, second] = ranked;
  if (first === undefined) return '';
  const ahead = second === undefined ? null : compareRuns(first.own, second.own, reservedTop1);
  const runnerUp =
    second === undefined || ahead === null
      ? ''
      : `; next is *${second.own.row.title}* with ${points(second.mean)} % (difference ${difference(ahead)}, p ${p(ahead.tTest.value)})`;
  const preliminary = ranked.length < rows.length ? ', of the rows that are complete,' : '';
  return `**Best on the reserved images**${preliminary} is *${first.own.row.title}* with ${points(first.mean)} %${runnerUp}.`;
}

/** What the reader has to know of results that are not there. */
function missing(all: readonly RowResults[]): string {
  const short = all.filter(({ runs, diverged, expected }) => runs.length + diverged < expected);
  const diverged = all.filter((row) => row.diverged > 0);
  const listed = (rows: readonly RowResults[], count: (row: RowResults) => number) =>
    rows.map((row) => `${row.row.title} (${count(row)} of ${row.expected})`).join('; ');
  return [
    ...(short.length === 0
      ? []
      : [
          `**Preliminary:** not run yet: ${listed(short, ({ expected, runs, diverged }) => expected - runs.length - diverged)}. ` +
            'Means of such rows are over fewer runs, and differences over the runs that both rows have.',
        ]),
    ...(diverged.length === 0
      ? []
      : [
          `${counted(
            diverged.reduce((sum, row) => sum + row.diverged, 0),
            'run',
          )} diverged and are not in the means: ${listed(diverged, (row) => row.diverged)}.`,
        ]),
  ].join('\n\n');
}

function spread({ runs }: RowResults, score: Score): string {
  return spreadInPercent(runs.map((run) => score(run) / 100));
}

/** `+0.72 [0.31, 1.13]` */
function difference(comparison: PairedComparison | null): string {
  if (comparison === null) return NONE;
  const { meanDifference, interval } = comparison;
  if (interval === null) return signed(meanDifference);
  return `${signed(meanDifference)} [${points(interval.low)}, ${points(interval.high)}]`;
}

function p(value: number | null): string {
  return value === null ? NONE : probability({ value });
}
