import { sampleStatistics } from 'evenhand/evaluation';
import { count, counted, heatMap } from 'evenhand/report';
import type { CellMethod } from '../tables/cell-methods.js';
import { PAPER_METHODS } from '../tables/tables.js';
import { numberedClasses } from './chart-classes.js';
import { classDistributionChart } from './class-distribution-chart.js';
import { type Block, heading, type Panel, paragraph, type Section } from './document.js';
import { reproduceCommand } from './missing.js';
import { isIllustrated, MAPPED_METHODS, type RowMaps } from './output-maps.js';
import { divergedSeeds, type ResultRow, type ResultTable, tableCells } from './results.js';
import { meanSoftConfusion } from './soft-confusion.js';

/** The paper's figures from our runs. */
export function figuresSection(tables: readonly ResultTable[], maps: readonly RowMaps[]): Section {
  return {
    heading: 'Figures',
    blocks: [
      heading('Class distributions of the training sets'),
      ...distributions(tables),
      heading('Soft-confusion matrices of the test sets, cross-entropy'),
      paragraph(
        'Each row is a true class: the mean probability, in per cent, that the network gives each class on its test images; mean over ' +
          'seeds. Classes are numbered as in the paper, the minority (◆) being the half with the fewest training images.',
      ),
      ...tables.flatMap((table) => table.rows.filter(isIllustrated).flatMap((row) => matrices(table, row))),
      heading('t-SNE of the test outputs, cross-entropy'),
      ...maps.flatMap(mapBlocks),
    ],
  };
}

function distributions(tables: readonly ResultTable[]): Block[] {
  const rows = tables.flatMap((table) => table.rows);
  const settings = [...new Set(rows.map(({ setting }) => setting))];
  const found = settings.map(({ name, title }) => ({
    name,
    title,
    counts: rows.filter(({ setting }) => setting.name === name).flatMap(({ cells }) => cells)[0]?.trainingCounts,
  }));
  const panels = found.flatMap(({ name, title, counts }): Panel[] => {
    if (counts === undefined) return [];
    const sum = counts.reduce((a, b) => a + b, 0);
    return [
      {
        file: `class-distribution-${name}`,
        title,
        chart: classDistributionChart(`Training images of each class: ${title}`, counts),
        caption: `${count(sum)} training images, from ${count(Math.max(...counts))} down to ${count(Math.min(...counts))} per class, without the validation images.`,
      },
    ];
  });
  const missing = found.flatMap(({ title, counts }) => (counts === undefined ? [title] : []));
  return [
    ...(panels.length === 0 ? [] : [{ kind: 'panels' as const, panels }]),
    ...(missing.length === 0 ? [] : [paragraph(`Not run, so there is no figure: ${missing.join('; ')}.`)]),
  ];
}

function matrices(table: ResultTable, row: ResultRow): Block[] {
  const { title } = row.setting;
  const panels = PAPER_METHODS.flatMap((method) => matrixPanel(table, row, method));
  const missing = PAPER_METHODS.filter((method) => tableCells(row, method).length + divergedSeeds(row, method) === 0);
  return [
    ...(panels.length === 0 ? [] : [{ kind: 'panels' as const, panels }]),
    ...(missing.length === 0
      ? []
      : [
          paragraph([
            `${title} lacks ${missing.join(', ')}. The command: `,
            { code: reproduceCommand(table, `${row.setting.name}/${row.loss}`) },
            '.',
          ]),
        ]),
  ];
}

function matrixPanel({ scale }: ResultTable, row: ResultRow, method: CellMethod): Panel[] {
  const cells = tableCells(row, method);
  const matrix = meanSoftConfusion(cells);
  const counts = cells[0]?.trainingCounts;
  if (matrix === undefined || counts === undefined) return [];
  const title = `${row.setting.title}: ${method}`;
  return [
    {
      file: `soft-confusion-${row.setting.name}-${scale}-${method}`,
      title,
      chart: heatMap(numberedClasses(counts), `Soft-confusion matrix, ${title}`, Float64Array.from(matrix.flat())),
      caption: `Mean over ${counted(cells.length, 'seed')}, scale “${scale}”.`,
    },
  ];
}

function mapBlocks({ table, row, maps, seeds }: RowMaps): Block[] {
  const { title } = row.setting;
  if (maps === undefined) {
    return [
      paragraph([
        `${title}: the map needs the test outputs of one-hot and enhancement, which are in their run folders. The command that makes them: `,
        { code: reproduceCommand(table, `${row.setting.name}/${row.loss}`) },
        '.',
      ]),
    ];
  }
  const panels = MAPPED_METHODS.map((method): Panel => {
    const { chart, seed, shown, all, outputScatters, mapScatter } = maps[method];
    return {
      file: `t-sne-${row.setting.name}-${table.scale}-${method}`,
      title: `${title}: ${method}`,
      chart,
      caption:
        `The log-probabilities of ${count(shown)} of ${count(all)} test images, seed ${seed}, coloured by predicted class. ` +
        `Scatter within predictions: ${sampleStatistics(outputScatters).mean.toFixed(3)} of the probabilities (${counted(seeds, 'seed')}), ${mapScatter.toFixed(3)} on the map.`,
    };
  });
  return [{ kind: 'panels', panels }];
}
