import { NONE } from 'evenhand/report';
import { meanAndDeviation, probability, signed } from '../numbers.js';
import type { CellMethod } from '../tables/cell-methods.js';
import { type MetricName, paperGain, paperNumber, TABLES } from '../tables/tables.js';
import { agreement, gainIn, metricIn } from './comparison.js';
import { costText } from './cost.js';
import { type Block, type Column, heading, type Prose, paragraph, type Section } from './document.js';
import { missingRows } from './missing.js';
import { recallBlocks } from './recall-blocks.js';
import { divergedSeeds, methodsOf, type ResultRow, type ResultTable, tableCells } from './results.js';
import { cellsTitle, METRIC_TITLES, rowTitle, tableTitle } from './titles.js';

/** One of the paper's tables, ours beside it. */
export function tableSection(table: ResultTable): Section {
  const { title, metrics } = TABLES[table.name];
  const minority = metrics.includes('minority')
    ? ' “Minority” is the top-1 accuracy over the half of the classes with the fewest training images.'
    : '';
  return {
    heading: `${tableTitle(table)}: ${title}`,
    blocks: [
      paragraph(`Test accuracy in per cent: mean ± standard deviation over seeds.${minority}`),
      ...resultsTables(table),
      heading('Enhancement against one-hot'),
      paragraph(
        'Differences in points, paired by seed. The t-test takes the differences for normally distributed. The sign-flip test only ' +
          'asks that they be symmetric about 0 if the methods are equal, but its p cannot fall below 0.063 with five seeds and ' +
          '0.25 with three. Neither is corrected for the number of rows.',
      ),
      comparisonTable(table),
      { kind: 'list', items: inWords(table) },
      heading('Recall by class'),
      ...recallBlocks(table),
      ...missing(table),
    ],
  };
}

/** A table for each data set. */
function resultsTables({ name, rows }: ResultTable): Block[] {
  const { metrics, settings } = TABLES[name];
  const columns: Column[] = [
    { name: 'loss, method' },
    { name: 'seeds' },
    ...metrics.flatMap((metric) => [
      { name: `${METRIC_TITLES[metric]}, ours` },
      { name: 'paper' },
      { name: 'difference' },
    ]),
  ];
  return settings.flatMap((setting) => {
    const own = rows.filter((row) => row.setting === setting);
    const cells = own.flatMap((row) => methodsOf(row).map((method) => resultsRow(row, method, metrics)));
    const label = setting.title;
    return [heading(label), { kind: 'table', label, columns, rows: cells }];
  });
}

function resultsRow(row: ResultRow, method: CellMethod, metrics: readonly MetricName[]): Prose[] {
  const seeds = tableCells(row, method).length;
  const diverged = divergedSeeds(row, method);
  const numbers = metrics.flatMap((metric) => besidePaper(row, method, metric));
  const run = seeds + diverged === 0 ? 'not run' : `${seeds}${diverged === 0 ? '' : `, ${diverged} diverged`}`;
  return [cellsTitle(row, method), run, ...numbers];
}

/** Ours, the paper's, the difference. */
function besidePaper(row: ResultRow, method: CellMethod, metric: MetricName): string[] {
  const ours = metricIn(row, method, metric);
  const shown = ours === undefined ? NONE : meanAndDeviation(ours);
  const paper = paperNumber(row, method, metric);
  if (paper === null) return [shown, NONE, NONE];
  return [shown, meanAndDeviation(paper), ours === undefined ? NONE : signed(ours.mean - paper.mean)];
}

function comparisonTable(table: ResultTable): Block {
  return {
    kind: 'table',
    label: `Enhancement against one-hot, ${tableTitle(table)}`,
    columns: [
      { name: 'data, loss' },
      { name: 'metric', text: true },
      { name: 'ours' },
      { name: 'paper' },
      { name: 'pairs' },
      { name: 'p, t\u2011test' },
      { name: 'p, sign flip' },
    ],
    rows: table.rows.flatMap((row) =>
      TABLES[table.name].metrics.map((metric): Prose[] => {
        const gain = gainIn(row, metric);
        return [
          rowTitle(row),
          METRIC_TITLES[metric],
          gain === undefined ? NONE : signed(gain.meanDifference),
          signedOrNone(paperGain(row, metric)),
          String(gain?.pairs ?? 0),
          gain === undefined ? NONE : probability(gain.tTest),
          gain === undefined ? NONE : probability(gain.signFlipTest),
        ];
      }),
    ),
  };
}

function signedOrNone(value: number | null): string {
  return value === null ? NONE : signed(value);
}

/** A sentence for each row and metric that was run. */
function inWords({ name, rows }: ResultTable): Prose[] {
  const sentences = rows.flatMap((row) =>
    TABLES[name].metrics.flatMap((metric): Prose[] => {
      const gain = gainIn(row, metric);
      const title = `${rowTitle(row)}, ${METRIC_TITLES[metric]}:`;
      return gain === undefined ? [] : [[{ strong: title }, ` ${agreement(row, metric, gain)}`]];
    }),
  );
  const cases = rows.length * TABLES[name].metrics.length;
  const missing = cases - sentences.length;
  return missing === 0 ? sentences : [...sentences, `${missing} of ${cases} have no seed with both methods.`];
}

function missing(table: ResultTable): Block[] {
  const rows = missingRows(table);
  if (rows.length === 0) return [];
  return [
    heading('Still missing'),
    {
      kind: 'table',
      label: `What is missing of ${tableTitle(table)}`,
      columns: [{ name: 'row' }, { name: 'runs' }, { name: 'cost', text: true }],
      rows: rows.map(({ row, runs, seconds }) => [rowTitle(row), String(runs), costText(seconds)]),
    },
    { kind: 'commands', lines: rows.map(({ command }) => command) },
  ];
}
