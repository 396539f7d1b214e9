import type { Terminal } from 'evenhand/command-line';
import { count, formatTable } from 'evenhand/command-line';
import { NONE } from 'evenhand/report';
import { meanAndDeviation, probability, signed } from '../../numbers.js';
import { type RowSummary, summarise } from '../../results/summarise.js';
import type { RunCellsOutcome } from '../../runner/run-cells.js';
import { cellId } from '../../tables/cells.js';
import { type MetricName, paperGain, TABLES, type TableName } from '../../tables/tables.js';
import type { PlannedTable } from './reproduce-plan.js';

const METRIC_TITLES: Readonly<Record<MetricName, string>> = {
  top1: 'Top-1 accuracy, %',
  top5: 'Top-5 accuracy, %',
  minority: 'Accuracy on the rarer half of the classes, %',
};

/** Recalls of more classes do not fit beside each other. */
const MOST_RECALLS = 10;

/** Shows what a table came to beside what the paper found. */
export function showTable(terminal: Terminal, planned: PlannedTable, { results, failed }: RunCellsOutcome): void {
  const { table, scale, epochs } = planned;
  const rows = summarise(table, results);
  const other = epochs === undefined ? '' : `, with --epochs ${epochs} and not by the recipe`;
  terminal.say(`${titleOf(table)} at the scale "${scale}"${other}`);
  for (const metric of TABLES[table].metrics) showMetric(terminal, metric, rows);
  showRecalls(terminal, rows);
  showSubsets(terminal, rows);
  for (const { cell, message } of failed) terminal.say(`${cellId(cell)} has no result: ${message}`);
  terminal.say(`  runs     ${planned.runs}`);
  terminal.say(`  results  ${planned.results}`);
  terminal.say();
}

function titleOf(table: TableName): string {
  return table === 'transformers'
    ? 'Transformers on long-tailed MNIST,'
    : `Table ${table.slice('table'.length)}, ${TABLES[table].title},`;
}

/** Of every row three lines: ours, the paper's, and how far ours is above. */
function showMetric(terminal: Terminal, metric: MetricName, rows: readonly RowSummary[]): void {
  const methods = [...new Set(rows.flatMap((row) => row.methods.map(({ method }) => method)))];
  const lines = rows.flatMap((row) => {
    const found = methods.map((name) => {
      const own = row.methods.find(({ method }) => method === name);
      const summary = own?.metrics.find((item) => item.metric === metric);
      return own === undefined || summary === undefined ? undefined : { ...summary, seeds: own.seeds.length };
    });
    const gain = row.gains.find((item) => item.metric === metric);
    return [
      [
        `${row.setting.name}/${row.loss}`,
        ...found.map((own) => (own === undefined ? NONE : `${meanAndDeviation(own)} (${own.seeds})`)),
        gain === undefined ? '' : signed(gain.meanDifference),
        gain === undefined ? '' : probability(gain.tTest),
        gain === undefined ? '' : probability(gain.signFlipTest),
      ],
      [
        'paper',
        ...found.map((own) => (own?.paper ? meanAndDeviation(own.paper) : '')),
        paperGain(row, metric) === null ? NONE : signed(paperGain(row, metric) ?? 0),
        '',
        '',
      ],
      ['difference', ...found.map((own) => (own?.paper ? signed(own.mean - own.paper.mean) : '')), '', '', ''],
    ];
  });
  const columns = [...methods, 'gain', 'p (t-test)', 'p (sign flips)'].map((title) => ({ title }));
  const bold = (title: string) => terminal.style('bold', title);
  terminal.say(`\n${METRIC_TITLES[metric]}: mean ± deviation (seeds); gain of enhancement over one-hot, paired`);
  terminal.say(formatTable([{ title: 'setting/loss', align: 'left' }, ...columns], lines, bold));
}

/** Which classes the means hide: the rarest one decides much of the result. */
function showRecalls(terminal: Terminal, rows: readonly RowSummary[]): void {
  const bold = (title: string) => terminal.style('bold', title);
  for (const setting of new Set(rows.map((row) => row.setting))) {
    const own = rows.filter((row) => row.setting === setting);
    const classes = own[0]?.methods[0]?.recall.length ?? 0;
    if (classes === 0 || classes > MOST_RECALLS) continue;
    const lines = own.flatMap(({ loss, methods }) =>
      methods.map(({ method, recall }) => [
        `${loss}/${method}`,
        ...recall.map((share) => (share === null ? NONE : share.toFixed(1))),
      ]),
    );
    const columns = Array.from({ length: classes }, (_, p) => ({ title: `class ${p}` }));
    terminal.say(`\nMean recall of every class, ${setting.title}, %`);
    terminal.say(formatTable([{ title: 'loss/method', align: 'left' }, ...columns], lines, bold));
  }
  terminal.say();
}

function showSubsets(terminal: Terminal, rows: readonly RowSummary[]): void {
  const lines = rows.flatMap(({ setting, loss, overSubsets }) =>
    overSubsets.map(({ method, subsets, metrics }) => [
      `${setting.name}/${loss}/${method}`,
      count(subsets.length),
      ...metrics.map(meanAndDeviation),
    ]),
  );
  if (lines.length === 0) return;
  const metrics = rows[0]?.methods[0]?.metrics ?? [];
  const columns = [{ title: 'subsets' }, ...metrics.map(({ metric }) => ({ title: METRIC_TITLES[metric] }))];
  terminal.say('Other draws of the data, with seed 0: mean ± deviation over subsets');
  terminal.say(formatTable([{ title: '', align: 'left' }, ...columns], lines));
  terminal.say();
}

/** What a table came to, for programs. */
export function tableAsJson(planned: PlannedTable, { results, failed }: RunCellsOutcome): object {
  const { table, scale, epochs, runs } = planned;
  return {
    table,
    scale,
    epochs: epochs ?? null,
    runs,
    results: planned.results,
    rows: summarise(table, results).map(({ setting, ...row }) => ({ setting: setting.name, ...row })),
    failed: failed.map(({ cell, message }) => ({ cell: cellId(cell), message })),
  };
}
