import { NONE } from 'evenhand/report';
import { probability, signed } from '../numbers.js';
import { PAPER_METHODS, paperGain, TABLES } from '../tables/tables.js';
import { agreement } from './agreement.js';
import { type Block, heading, type Prose, paragraph } from './document.js';
import { isPartial } from './missing.js';
import { methodsOf, type ResultTable } from './results.js';
import {
  differenceText,
  ENHANCEMENT_TO_ONE_HOT,
  type MethodPair,
  probabilityText,
  type TestedComparison,
  testedComparisons,
} from './tested-comparisons.js';
import { METRIC_TITLES, methodTitle, rowTitle, tableTitle } from './titles.js';

/** Enhancement against one-hot in every row and metric of a table, with what it says of the paper. */
export function paperComparison(table: ResultTable): Block[] {
  const tested = testedComparisons(table, [ENHANCEMENT_TO_ONE_HOT]);
  return [
    heading('Enhancement against one-hot'),
    paragraph(
      'Differences in percentage points, paired by seed, with 95 % intervals. The t-test assumes normally distributed differences; ' +
        'its p is corrected for the number of comparisons in this table (Holm). The sign-flip test is not corrected and assumes only that ' +
        'differences are symmetric about 0 if the methods are equal, but its p cannot fall below 0.063 with five seeds and 0.25 with three.',
    ),
    comparisonTable(table, tested),
    ...(isPartial(table)
      ? [
          paragraph([
            { strong: 'This table is incomplete:' },
            ' planned rows or seeds are missing, so it gets no verdict.',
          ]),
        ]
      : []),
    { kind: 'list', items: inWords(table, tested) },
  ];
}

function comparisonTable(table: ResultTable, tested: readonly TestedComparison[]): Block {
  return {
    kind: 'table',
    label: `Enhancement against one-hot, ${tableTitle(table)}`,
    columns: [
      { name: 'data, loss' },
      { name: 'metric', text: true },
      { name: 'ours, with 95 % interval' },
      { name: 'paper' },
      { name: 'pairs' },
      { name: 'p, t\u2011test' },
      { name: 'p, corrected' },
      { name: 'p, sign flip' },
    ],
    rows: table.rows.flatMap((row) =>
      TABLES[table.name].metrics.map((metric): Prose[] => {
        const found = tested.find((one) => one.row === row && one.metric === metric);
        const paper = paperGain(row, metric);
        return [
          rowTitle(row),
          METRIC_TITLES[metric],
          found === undefined ? NONE : differenceText(found.gain),
          paper === null ? NONE : signed(paper),
          String(found?.gain.pairs ?? 0),
          found === undefined ? NONE : probability(found.gain.tTest),
          probabilityText(found?.corrected ?? null),
          found === undefined ? NONE : probability(found.gain.signFlipTest),
        ];
      }),
    ),
  };
}

/** A sentence for each row and metric that was run. */
function inWords(table: ResultTable, tested: readonly TestedComparison[]): Prose[] {
  const partial = isPartial(table);
  const sentences = tested.map((one): Prose => {
    const title = `${rowTitle(one.row)}, ${METRIC_TITLES[one.metric]}:`;
    return [{ strong: title }, ` ${agreement(one, partial)}`];
  });
  const cases = table.rows.length * TABLES[table.name].metrics.length;
  const missing = cases - sentences.length;
  return missing === 0
    ? sentences
    : [...sentences, `${missing} of ${cases} comparisons have no seed with both methods.`];
}

/** What methods that the paper does not have are compared with: those that learn from the same images. */
function pairsOf(methods: ReadonlySet<string>): MethodPair[] {
  const rivals = ['logit-adjustment', 'class-balanced', 'confusion-margins'] as const;
  const pairs: MethodPair[] = [
    ...rivals.flatMap((rival): MethodPair[] => [
      [rival, 'one-hot'],
      [rival, 'enhancement'],
    ]),
    ['enhancement-given-back', 'one-hot-all-images'],
    ['inverse-frequency-all-images', 'one-hot-all-images'],
    ['logit-adjustment-all-images', 'one-hot-all-images'],
    ['enhancement-given-back', 'logit-adjustment-all-images'],
    ['confusion-margins-given-back', 'logit-adjustment-all-images'],
    ['one-hot-all-images', 'one-hot'],
  ];
  return pairs.filter((pair) => pair.every((method) => methods.has(method)));
}

/** Methods beside the paper's, each against one that learns from the same images; nothing where none was run. */
export function otherComparisons(table: ResultTable): Block[] {
  const methods = new Set<string>(table.rows.flatMap((row) => (row.cells.length === 0 ? [] : methodsOf(row))));
  const others = [...methods].filter((method) => !PAPER_METHODS.some((name) => name === method));
  const tested = others.length === 0 ? [] : testedComparisons(table, pairsOf(methods));
  if (tested.length === 0) return [];
  return [
    heading('Beside the paper’s methods'),
    paragraph(
      'Differences in percentage points, paired by seed, with 95 % intervals; p of the t-test, corrected for the number of comparisons here. Methods with ' +
        '“all images” train on the held-out images from the beginning, and “given back” after two thirds of the epochs: these learn from the same images.',
    ),
    {
      kind: 'table',
      label: `Other methods, ${tableTitle(table)}`,
      columns: [
        { name: 'data, loss' },
        { name: 'metric', text: true },
        { name: 'method', text: true },
        { name: 'against', text: true },
        { name: 'difference, with 95 % interval' },
        { name: 'pairs' },
        { name: 'p, corrected' },
      ],
      rows: tested.map(({ row, metric, pair: [method, baseline], gain, corrected }): Prose[] => [
        rowTitle(row),
        METRIC_TITLES[metric],
        methodTitle(method),
        methodTitle(baseline),
        differenceText(gain),
        String(gain.pairs),
        probabilityText(corrected),
      ]),
    },
  ];
}
