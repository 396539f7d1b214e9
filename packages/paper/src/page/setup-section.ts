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
        'Every number comes from a training run of this program. Within a table all methods and losses train on the same ' +
          'images and have the same validation images, from which enhancement and its parts learn which classes are confused; a seed ' +
          'moves only the initial weights, the order of the training images and the random changes to them. The weights are those of the last epoch. What was ' +
          'tuned was tuned on images of the training part, see “Tuning”.',
      ),
      ...machine(run),
      ...(stale === 0
        ? []
        : [
            paragraph(
              `${counted(stale, 'result')} of another configuration than the present one ${stale === 1 ? 'is' : 'are'} left out.`,
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
  if (run.length === 0) return [paragraph('Nothing has been run yet with the present recipes.')];
  const machines = new Set(
    run.map(
      ({ config: { device }, environment: { evenhand, node, onnxruntime, cpu, threads } }) =>
        `${cpu}${device === 'cpu' ? '' : ` with ${device}`}, ${counted(threads, 'thread')} a run; evenhand ${evenhand}, ONNX Runtime ${onnxruntime}, Node ${node}`,
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
        { name: 'training images', text: true },
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
  if (augmentation === undefined) return 'as they are';
  const { padding, flip } = augmentation;
  return `moved by up to ${padding} px${flip ? ', half of them mirrored' : ''}`;
}

/** The numbers of seeds of the paper's methods in a row. */
function seedsOf(row: ResultRow): number[] {
  return PAPER_METHODS.map((method) => tableCells(row, method).length);
}

function differences(tables: readonly ResultTable[]): Prose[] {
  return [
    'The paper does not tell ε, μ, learning rates, batch sizes or numbers of epochs. Ours are above; what was tried before is under “Tuning”.',
    'The paper’s small deviations suggest that it drew its training images once. So do we, but ours are other images: see “The spread over subsets”.',
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
          'Table 1: our LeNet-5 takes the maximum where it pools, as it is usual today; the original of 1998, which the paper changes in three other places, ' +
            'averages and learns a scale.',
        ]
      : []),
    ...(has('table3')
      ? [
          'Table 3: photographs of Caltech 101 are scaled to cover a square and cropped in the middle, so that shapes keep their proportions; the paper resizes them to ' +
            'a square. The shorter side of our files is 128 pixels at most.',
        ]
      : []),
  ];
}

/** The paper tells of no changes to training images. */
function augmented(tables: readonly ResultTable[]): Prose[] {
  return tables.flatMap((table) => {
    const rows = table.rows.filter((row) => rowConfig(table, row).augmentation !== undefined).length;
    if (rows === 0) return [];
    const share = rows === table.rows.length ? 'all rows' : `${rows} of ${table.rows.length} rows`;
    return [
      `${tableTitle(table)}: in ${share}, training images are moved about at random, for all methods alike. The paper tells of nothing ` +
        'of the kind, so that our numbers and its are not like for like.',
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
    `${tableTitle(table)} is scaled down to what two cores can do. From our recipe for the paper’s scale it differs in this: ${changed.join('; ')}.`,
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
