import { counted, NONE } from 'evenhand/report';
import { meanAndDeviation, signed } from '../numbers.js';
import type { CellMethod } from '../tables/cell-methods.js';
import { type MetricName, paperNumber, TABLES } from '../tables/tables.js';
import { metricIn } from './comparison.js';
import { otherComparisons, paperComparison } from './comparison-blocks.js';
import { costText } from './cost.js';
import { type Block, type Column, heading, type Prose, paragraph, type Section } from './document.js';
import { missingRows } from './missing.js';
import { recallBlocks } from './recall-blocks.js';
import { divergedSeeds, isOfOtherEngine, methodsOf, type ResultRow, type ResultTable, tableCells } from './results.js';
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
      ...paperComparison(table),
      ...otherComparisons(table),
      heading('Recall by class'),
      ...recallBlocks(table),
      ...missing(table),
    ],
  };
}

/** What the paper leaves open, in the form of its tables: there is nothing of the paper's to be beside it. */
export function openQuestionSection(table: ResultTable): Section {
  const { title } = TABLES[table.name];
  return {
    heading: `The paper’s open question: ${title}`,
    blocks: [
      paragraph(
        'The paper asks what enhancement encoding does for transformers, but has no experiment on it. These are a small ViT and a small EANet with patches of ' +
          '4 × 4 pixels, trained from scratch on the images of MNIST’s long tail. Test accuracy in per cent: mean ± standard deviation over seeds.',
      ),
      ...resultsTables(table),
      ...paperComparison(table),
      ...otherComparisons(table),
      ...missing(table),
    ],
  };
}

/** A table for each data set. */
function resultsTables(table: ResultTable): Block[] {
  const { metrics, settings } = TABLES[table.name];
  const columns: Column[] = [
    { name: 'loss, method' },
    { name: 'seeds' },
    ...metrics.flatMap((metric) => [
      { name: `${METRIC_TITLES[metric]}, ours` },
      { name: 'paper' },
      { name: 'difference' },
    ]),
  ];
  const results = settings.flatMap((setting): Block[] => {
    const own = table.rows.filter((row) => row.setting === setting);
    const cells = own.flatMap((row) => methodsOf(row).map((method) => resultsRow(table, row, method, metrics)));
    const label = setting.title;
    return [heading(label), { kind: 'table', label, columns, rows: cells }];
  });
  return [...results, ...engineNote(table)];
}

/** Marks numbers of runs that another engine may have computed. */
const OTHER_ENGINE = '†';

function resultsRow(table: ResultTable, row: ResultRow, method: CellMethod, metrics: readonly MetricName[]): Prose[] {
  const cells = tableCells(row, method);
  const diverged = divergedSeeds(row, method);
  const numbers = metrics.flatMap((metric) => besidePaper(row, method, metric));
  const mark = cells.some((cell) => isOfOtherEngine(table, cell)) ? OTHER_ENGINE : '';
  const run =
    cells.length + diverged === 0
      ? 'not run'
      : `${cells.length}${mark}${diverged === 0 ? '' : `, ${diverged} diverged`}`;
  return [cellsTitle(row, method), run, ...numbers];
}

/** What the mark means, where there is one. */
function engineNote(table: ResultTable): Block[] {
  const cells = table.rows.flatMap((row) => row.cells);
  const others = cells.filter((cell) => isOfOtherEngine(table, cell));
  if (others.length === 0) return [];
  const without = others.filter(({ code }) => code === undefined).length;
  const newest = table.engine === null ? '' : ` The newest runs have the fingerprint ${table.engine}.`;
  return [
    paragraph(
      `${OTHER_ENGINE} ${counted(others.length, 'run')} of ${cells.length}: ${without} from before results recorded which code computed them, ` +
        `${others.length - without} by an engine with different rounding (another fingerprint: the hash of the weights after three fixed steps).${newest}`,
    ),
  ];
}

/** Ours, the paper's, the difference. */
function besidePaper(row: ResultRow, method: CellMethod, metric: MetricName): string[] {
  const ours = metricIn(row, method, metric);
  const shown = ours === undefined ? NONE : meanAndDeviation(ours);
  const paper = paperNumber(row, method, metric);
  if (paper === null) return [shown, NONE, NONE];
  return [shown, meanAndDeviation(paper), ours === undefined ? NONE : signed(ours.mean - paper.mean)];
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
