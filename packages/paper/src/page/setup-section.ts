import type { Config } from 'evenhand/config';
import { configDifference } from 'evenhand/config';
import { counted, NONE } from 'evenhand/report';
import type { CellResult } from '../results/cell-result.js';
import { scaleOf } from '../tables/recipes.js';
import { PAPER_METHODS, PAPER_SEEDS } from '../tables/tables.js';
import { dataChecks } from './data-checks.js';
import { type Block, heading, type Prose, paragraph, type Section } from './document.js';
import { type ResultRow, type Results, type ResultTable, tableCells } from './results.js';
import { rowConfig } from './row-config.js';
import { rowTitle, tableTitle } from './titles.js';

/** What was run, where and how; and what is not as in the paper. */
export function setupSection({ tables, stale }: Results): Section {
  const run = tables.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells));
  return {
    heading: 'What was run',
    blocks: [
      paragraph(
        'Every number comes from a training run of this program. Within a table, all methods and losses use the same training images and the same ' +
          'validation images, on which enhancement and its ablations measure which classes are confused. The seed decides only the initial weights, the order of the ' +
          'training images and their augmentation. The weights are those of the last epoch. Nothing was tuned on test images; see “Tuning”.',
      ),
      ...machine(run),
      ...(stale === 0
        ? []
        : [
            paragraph(
              `${counted(stale, 'result')} from an earlier configuration ${stale === 1 ? 'is' : 'are'} left out.`,
            ),
          ]),
      ...images(tables),
      ...tables.flatMap(recipes),
      heading('Where this differs from the paper'),
      { kind: 'list', items: differences(tables) },
    ],
  };
}

function machine(run: readonly CellResult[]): Block[] {
  if (run.length === 0) return [paragraph('Nothing has been run with the current recipes yet.')];
  const machines = new Set(
    run.map(
      ({ config: { device }, environment: { evenhand, node, onnxruntime, cpu, threads } }) =>
        `${cpu}${device === 'cpu' ? '' : ` with ${device}`}, ${counted(threads, 'thread')} per run; evenhand ${evenhand}, ONNX Runtime ${onnxruntime}, Node ${node}`,
    ),
  );
  return [paragraph(`${counted(run.length, 'run')}, on ${[...machines].join(' and on ')}.`)];
}

/** Whether the images are those of the paper's text. */
function images(tables: readonly ResultTable[]): Block[] {
  const items = dataChecks(tables).map(
    ({ expected, found, holds }): Prose => [
      `${expected}: ${found}. `,
      { strong: holds ? 'As in the paper.' : 'Not as in the paper.' },
    ],
  );
  return items.length === 0 ? [] : [heading('Images'), { kind: 'list', items }];
}

function recipes(table: ResultTable): Block[] {
  const rows = table.rows.map((row): Prose[] => {
    const config = rowConfig(table, row);
    const { optimizer, schedule, batchSize, epochs } = config;
    return [
      rowTitle(row),
      `${config.model.name}${config.data.imageSize === undefined ? '' : `, ${config.data.imageSize} px`}`,
      `${optimizer.name}, rate ${optimizer.learningRate}, weight decay ${optimizer.weightDecay}, ${schedule.name}`,
      augmentationText(config.augmentation),
      String(batchSize),
      String(epochs),
      'enhancementRate' in config.method ? String(config.method.enhancementRate) : NONE,
      'updatingRate' in config.method ? String(config.method.updatingRate) : NONE,
    ];
  });
  return [
    heading(tableTitle(table)),
    {
      kind: 'table',
      label: `Recipes of ${tableTitle(table)}`,
      columns: [
        { name: 'data, loss' },
        { name: 'network', text: true },
        { name: 'recipe', text: true },
        { name: 'augmentation', text: true },
        { name: 'batch' },
        { name: 'epochs' },
        { name: 'ε' },
        { name: 'μ' },
      ],
      rows,
    },
  ];
}

function augmentationText(augmentation: Config['augmentation']): string {
  if (augmentation === undefined) return 'not augmented';
  const { padding, flip } = augmentation;
  return `random shifts of up to ${padding} px${flip ? ', random horizontal flips' : ''}`;
}

/** The numbers of seeds of the paper's methods in a row. */
function seedsOf(row: ResultRow): number[] {
  return PAPER_METHODS.map((method) => tableCells(row, method).length);
}

function differences(tables: readonly ResultTable[]): Prose[] {
  return [
    'The paper does not state ε, μ, learning rates, batch sizes or numbers of epochs. Ours are listed above; “Tuning” shows what else was tried.',
    'The paper’s small standard deviations suggest that it drew its training images once. So did we, but our draw is a different one: see “Spread over draws of the images”.',
    ...networks(tables),
    ...augmented(tables),
    ...tables.flatMap((table) => [...scaleDifferences(table), ...fewerSeeds(table)]),
  ];
}

/** What the paper's text does not settle about networks and images. */
function networks(tables: readonly ResultTable[]): Prose[] {
  const has = (name: ResultTable['name']) => tables.some((table) => table.name === name);
  return [
    ...(has('table1')
      ? [
          'Table 1: our LeNet-5 uses max pooling, as is usual today. The original of 1998, which the paper changes in three other places, uses average pooling ' +
            'with a learned scale.',
        ]
      : []),
    ...(has('table3')
      ? [
          'Table 3: we resize the photographs of Caltech 101 so that they cover a square and take the centre crop, which keeps proportions; the paper resizes them to ' +
            'a square. The shorter side of our files is at most 128 pixels.',
        ]
      : []),
  ];
}

/** The paper mentions no augmentation. */
function augmented(tables: readonly ResultTable[]): Prose[] {
  return tables.flatMap((table) => {
    const rows = table.rows.filter((row) => rowConfig(table, row).augmentation !== undefined).length;
    if (rows === 0) return [];
    const share = rows === table.rows.length ? 'all rows' : `${rows} of ${table.rows.length} rows`;
    return [
      `${tableTitle(table)}: in ${share}, training images are augmented, for all methods alike. The paper mentions no augmentation, so our numbers and ` +
        'the paper’s are not like for like.',
    ];
  });
}

/** Where a table's recipe is smaller than what the paper's scale has. */
function scaleDifferences(table: ResultTable): Prose[] {
  const [row] = table.rows;
  if (table.scale === scaleOf(table.name, 'paper') || row === undefined) return [];
  const changed = configDifference(rowConfig({ ...table, scale: 'paper' }, row), rowConfig(table, row)).map(
    ({ path, before, after }) => `${path} ${valueText(after)} instead of ${valueText(before)}`,
  );
  return [
    `${tableTitle(table)} is scaled down to what two cores can train. It differs from our recipe for the paper’s scale in this: ${changed.join('; ')}.`,
  ];
}

function valueText(value: unknown): string {
  return value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
}

function fewerSeeds(table: ResultTable): Prose[] {
  const fewer = table.rows.filter((row) => Math.min(...seedsOf(row)) < PAPER_SEEDS);
  if (fewer.length === 0) return [];
  return [
    `${tableTitle(table)}: ${fewer.length} of ${table.rows.length} rows have fewer than the paper’s ${PAPER_SEEDS} seeds of some method.`,
  ];
}
