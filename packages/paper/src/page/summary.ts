import { NONE } from 'evenhand/report';
import { type WrittenBlock, writeBlock } from '../documents/written-block.js';
import { points } from '../numbers.js';
import type { CellMethod } from '../tables/cell-methods.js';
import { paperNumber } from '../tables/tables.js';
import { metricIn } from './comparison.js';
import { type Block, type Prose, paragraph } from './document.js';
import { isPartial } from './missing.js';
import { renderBlocks } from './render-markdown.js';
import type { Results, ResultTable } from './results.js';
import {
  differenceText,
  ENHANCEMENT_TO_ONE_HOT,
  type MethodPair,
  outcomeOf,
  probabilityText,
  type TestedComparison,
  testedComparisons,
} from './tested-comparisons.js';
import { METRIC_TITLES } from './titles.js';

/** The part of `docs/results.md` that is written from the results. */
export const SUMMARY_BLOCK: WrittenBlock = {
  name: 'results',
  writtenBy:
    '`npm run reproduce -- figures --results results --page docs --summary docs/results.md` from the lines of results',
};

/** Writes the summary into a document that has a place for it. */
export async function writeSummary(file: string, results: Results): Promise<void> {
  await writeBlock(file, SUMMARY_BLOCK, summaryMarkdown(results));
}

/** The summary as Markdown. */
export function summaryMarkdown(results: Results): string {
  return renderBlocks(summaryBlocks(results));
}

/** A row of the summary. */
interface SummaryRow {
  readonly tested: TestedComparison;
  readonly isPartial: boolean;
}

/** One table and three sentences, for a reader who has two minutes: cross-entropy, top-1 and minority accuracy. */
export function summaryBlocks({ tables }: Results): Block[] {
  const rows = tables.flatMap((table) =>
    testedComparisons(table, [ENHANCEMENT_TO_ONE_HOT])
      .filter(({ row, metric }) => row.loss === 'ce' && metric !== 'top5')
      .map((tested): SummaryRow => ({ tested, isPartial: isPartial(table) })),
  );
  if (rows.length === 0) return [paragraph('No row has both one-hot and enhancement yet.')];
  return [
    {
      kind: 'table',
      label: 'Enhancement encoding against one-hot labels',
      columns: [
        { name: 'cross-entropy, %' },
        { name: 'seeds' },
        { name: 'one-hot' },
        { name: 'enhancement' },
        { name: 'difference, with 95 % interval' },
        { name: 'p' },
        { name: 'as in the paper?', text: true },
        { name: 'the paper’s' },
      ],
      rows: rows.map(summaryRow),
    },
    paragraph([inGeneral(), ' ', counts(rows), ' ', onTheSameImages(tables)].join('')),
  ];
}

const VERDICTS = { ahead: 'yes', behind: 'no', 'cannot tell': 'cannot tell' } as const;

function summaryRow({ tested, isPartial: partial }: SummaryRow): Prose[] {
  const { row, metric, gain, corrected } = tested;
  const mean = (method: CellMethod) => points(metricIn(row, method, metric)?.mean ?? Number.NaN);
  const paper = (['one-hot', 'enhancement'] as const).map((method) => paperNumber(row, method, metric)?.mean);
  return [
    `${row.setting.title}, ${metric === 'minority' ? 'accuracy of the rarer half of the classes' : METRIC_TITLES[metric]}`,
    String(gain.pairs),
    mean('one-hot'),
    mean('enhancement'),
    differenceText(gain),
    probabilityText(corrected),
    partial ? 'table is incomplete' : VERDICTS[outcomeOf(tested)],
    paper.map((value) => (value === undefined ? NONE : value.toFixed(2))).join(' → '),
  ];
}

function inGeneral(): string {
  return (
    'Both methods of a row use the same images, seeds and recipe, and the recipe was chosen for one-hot labels; p comes from a paired t-test over the seeds, with ' +
    'Holm’s correction for all comparisons of enhancement with one-hot in a table.'
  );
}

function counts(rows: readonly SummaryRow[]): string {
  const whole = rows.filter((row) => !row.isPartial).map(({ tested }) => outcomeOf(tested));
  const count = (which: (typeof whole)[number]) => whole.filter((outcome) => outcome === which).length;
  const partial = rows.length - whole.length;
  return (
    `Of the ${whole.length} rows of complete tables, enhancement is ahead, as in the paper, in ${count('ahead')} and behind in ${count('behind')}; in ${count('cannot tell')} ` +
    `the difference may be due to chance${partial === 0 ? '' : `; ${partial} more rows belong to incomplete tables, which get no verdict yet`}.`
  );
}

/** What is left of the gain where everybody learns from the held-out images too, and what logit adjustment makes of them. */
function onTheSameImages(tables: readonly ResultTable[]): string {
  const pairs: MethodPair[] = [
    ['enhancement-given-back', 'one-hot-all-images'],
    ['logit-adjustment-all-images', 'one-hot-all-images'],
  ];
  const texts = tables.flatMap((table) =>
    table.rows.flatMap((row) => {
      const own = testedComparisons(table, pairs).filter((one) => one.row === row && one.metric === 'top1');
      const [enhancement, adjustment] = pairs.map((pair) => own.find((one) => one.pair === pair)?.gain);
      if (enhancement === undefined) return [];
      const rival = adjustment === undefined ? '' : `, logit adjustment ${differenceText(adjustment)}`;
      return [`${differenceText(enhancement)}${rival} (${row.setting.title})`];
    }),
  );
  return texts.length === 0
    ? 'The comparison in which every method may train on the held-out images has not been run for these rows yet.'
    : `When one-hot labels may train on the held-out images too, and enhancement gets them back for the last third of the epochs, its gain is ${texts.join('; ')}.`;
}
