import { existsSync } from 'node:fs';
import { UserError } from 'evenhand';
import {
  addCoordinatorOptions,
  addExamples,
  addOutputOptions,
  countOf,
  type DefineCommand,
  interruptible,
  printable,
  type Terminal,
  terminalOf,
  textOf,
  withQueue,
} from 'evenhand/command-line';
import { npmScript } from '../../npm-script.js';
import { writeReproductionPage } from '../../page/write-reproduction-page.js';
import { requireData } from '../../runner/require-data.js';
import { type RunCellsOutcome, runCells } from '../../runner/run-cells.js';
import { PAPER_SEEDS } from '../../tables/tables.js';
import { ReproduceDisplay } from './reproduce-display.js';
import { type PlannedTable, planOf, type ReproducePlan } from './reproduce-plan.js';
import { showTable, tableAsJson } from './reproduce-summary.js';

/** Of subsets, epochs, pixels and processes. */
const MOST = 1000;

/** `evenhand-paper reproduce`. */
export const defineReproduce: DefineCommand = (command, { onProblems }) => {
  addExamples(
    command,
    [
      'table1 --seeds 1 --only long-tail/ce',
      'table2 --methods one-hot,enhancement --seeds 3',
      'all --scale paper --device cuda --processes 1',
    ],
    'npm run reproduce --',
  )
    .argument(
      '<what>',
      'table1 (MNIST), table2 (CIFAR-10-LT), table3 (Caltech 101), transformers (MNIST), figures, or all of them',
    )
    .option('--scale <scale>', 'paper: as large as there, for a GPU; cpu: what two cores finish overnight', 'cpu')
    .option(
      '--seeds <number>',
      `how often each cell is trained, or a range of seeds such as 3..4 (default: what is planned for the table; ${PAPER_SEEDS} with --methods)`,
    )
    .option('--only <row>', 'one setting, row or cell: long-tail, long-tail/ce or long-tail/ce/enhancement')
    .option('--methods <names>', 'any methods, by comma, instead of those that are planned for the table')
    .option('--subsets <number>', 'draws of the data on which cross-entropy is trained', '1')
    .option('--epochs <number>', "instead of the recipe's; kept apart from the table's results")
    .option('--image-size <pixels>', "of Caltech 101, instead of the recipe's; kept apart from the table's results")
    .option('--device <device>', 'device: cpu, cuda, webgpu, dml or coreml', 'cpu')
    .option('--folder <folder>', 'where the runs go', 'reproduction')
    .option('--results <folder>', 'where the results go (default: results in that folder)')
    .option(
      '--page <folder>',
      'where a page with all results and its figures goes (default for figures and all: that folder)',
    )
    .option('--summary <file>', "with a page: a document whose block of results gets the page's summary")
    .option('--processes <number>', 'cells that are trained at once (default: as many as cores)');
  addCoordinatorOptions(command);
  return addOutputOptions(command).action(async (what: string) => {
    const terminal = terminalOf(command);
    const plan = planOf({
      what,
      scale: textOf(command, 'scale') ?? '',
      seeds: textOf(command, 'seeds'),
      only: textOf(command, 'only'),
      methods: textOf(command, 'methods'),
      subsets: countOf(command, '--subsets', MOST) ?? 1,
      epochs: countOf(command, '--epochs', MOST),
      imageSize: countOf(command, '--image-size', MOST),
      device: textOf(command, 'device') ?? '',
      folder: textOf(command, 'folder') ?? '',
      results: textOf(command, 'results'),
      page: textOf(command, 'page'),
      summary: textOf(command, 'summary'),
      processes: countOf(command, '--processes', MOST),
    });
    const outcomes = await runTables(command, terminal, plan);
    if (outcomes.some(({ outcome }) => outcome.failed.length > 0)) onProblems();
    for (const { planned, outcome } of outcomes) showTable(terminal, planned, outcome);
    const page = plan.page === undefined ? null : await writePage(terminal, plan, plan.page);
    terminal.json({ tables: outcomes.map(({ planned, outcome }) => tableAsJson(planned, outcome)), page });
  });
};

async function writePage(
  terminal: Terminal,
  { folder: runs, results, summary }: ReproducePlan,
  folder: string,
): Promise<string> {
  if (!existsSync(results)) {
    throw new UserError(
      `there are no results in ${results}; run a table first, such as ${npmScript('reproduce', 'table1')}, or say where ` +
        'they are with --results',
    );
  }
  const { page, figures } = await writeReproductionPage({
    results,
    runs,
    folder,
    ...(summary === undefined ? {} : { summary }),
  });
  terminal.say(`  page     ${printable(page)}`);
  terminal.say(`  figures  ${figures.length} beside it, as SVG`);
  return page;
}

interface TableOutcome {
  readonly planned: PlannedTable;
  readonly outcome: RunCellsOutcome;
}

/** Trains what is missing, table after table. A signal leaves it where it can go on. */
async function runTables(
  command: Parameters<DefineCommand>[0],
  terminal: Terminal,
  { tables, processes }: ReproducePlan,
): Promise<TableOutcome[]> {
  await requireData(tables.flatMap(({ cells }) => cells));
  for (const planned of tables) {
    if (planned.epochs === undefined) continue;
    terminal.note(
      `--epochs ${planned.epochs} is not the recipe: ${planned.results} is kept apart from the table's results`,
    );
  }
  return interruptible(
    terminal,
    async (signal) => {
      const outcomes: TableOutcome[] = [];
      for (const planned of tables) {
        const display = new ReproduceDisplay(terminal, planned);
        const outcome = await withQueue(command, terminal, planned.runs, (executor) =>
          runCells({
            ...planned,
            processes,
            executor,
            signal,
            onEvent: (event) => display.onEvent(event),
          }),
        );
        display.end();
        outcomes.push({ planned, outcome });
      }
      return outcomes;
    },
    () => {
      const again = printable(npmScript('reproduce', ...process.argv.slice(3)));
      return `interrupted; what is finished is kept, the rest is at a checkpoint. Continue with:\n  ${again}`;
    },
  );
}
