import { type CodeVersion, codeVersion, type Executor, openRun, type TrialResult, trainAll, UserError } from 'evenhand';
import { configDifference } from 'evenhand/config';
import { appendJsonLine, isRun } from 'evenhand/files';
import {
  type CellLines,
  type CellResult,
  type DivergedCell,
  readCellLines,
  readCellResult,
} from '../results/cell-result.js';
import { withLockedLines } from '../results/locked-lines.js';
import { type Cell, cellFolder, cellId, cellPath } from '../tables/cells.js';

/** What happens to a cell. */
export type CellEvent =
  /** Its result was there already. */
  | { readonly kind: 'found'; readonly cell: Cell; readonly result: CellResult }
  | { readonly kind: 'begun'; readonly cell: Cell }
  /** So many epochs are complete. */
  | { readonly kind: 'progress'; readonly cell: Cell; readonly epoch: number }
  | { readonly kind: 'done'; readonly cell: Cell; readonly result: CellResult }
  /** Its training diverged, now or in an earlier run. */
  | { readonly kind: 'diverged'; readonly cell: Cell; readonly message: string }
  /** It could not be trained; it is tried again when cells are run again. */
  | { readonly kind: 'failed'; readonly cell: Cell; readonly message: string };

/** Which cells are run, and where what comes of them goes. */
export interface RunCellsOptions {
  /** In the order in which they are begun. */
  readonly cells: readonly Cell[];
  /** Folder of the run folders. */
  readonly runs: string;
  /** File that gets a line for every cell. */
  readonly results: string;
  /** How many cells at once. @defaultValue as many as there are cores */
  readonly processes?: number | undefined;
  /** Trains elsewhere than in processes of this machine. */
  readonly executor?: Executor | undefined;
  readonly onEvent?: (event: CellEvent) => void;
  /** When aborted, cells that are running are left at a checkpoint, and the signal's reason is thrown. */
  readonly signal?: AbortSignal;
}

/** What came of all cells. */
export interface RunCellsOutcome {
  readonly results: readonly CellResult[];
  /** Those without a result: they diverged, or could not be trained. */
  readonly failed: readonly { readonly cell: Cell; readonly message: string }[];
}

/**
 * Trains the cells that have no result yet, several at a time, each in a process of its own. A cell's line is on the disk
 * before the next cell begins. Whoever ends this at any moment, in whatever way, may call it again: what is finished is not
 * repeated, what was begun goes on from its checkpoint, and the results are those of an undisturbed run.
 *
 * @throws {@link UserError} if another process is at it, or a run folder holds another configuration
 */
export async function runCells(options: RunCellsOptions): Promise<RunCellsOutcome> {
  const { results } = options;
  return withLockedLines(results, async () => runMissing(options, await readCellLines(results)));
}

async function runMissing(options: RunCellsOptions, lines: CellLines): Promise<RunCellsOutcome> {
  const { cells, runs, processes, executor, signal, onEvent = () => undefined } = options;
  const results: CellResult[] = [];
  const failed: { cell: Cell; message: string }[] = [];
  const fail = (kind: 'diverged' | 'failed', cell: Cell, message: string) => {
    failed.push({ cell, message });
    onEvent({ kind, cell, message });
  };
  const missing: Cell[] = [];
  for (const cell of cells) {
    const result = lineOf(cell, lines.results);
    const diverged = lineOf(cell, lines.diverged)?.diverged;
    if (result !== undefined) {
      await removeCheckpoints(cellFolder(runs, cell)); // a killed process may have left them
      results.push(result);
      onEvent({ kind: 'found', cell, result });
    } else if (diverged !== undefined) fail('diverged', cell, diverged);
    else missing.push(cell);
  }
  if (missing.length === 0) return { results, failed };
  await refuseOtherConfigurations(runs, missing);
  const code = await codeVersion();
  await trainAll(missing.map(trialOf), {
    folder: runs,
    processes,
    ...(executor === undefined ? {} : { executor }),
    ...(signal === undefined ? {} : { signal }),
    onEvent: (event) => {
      const { cell } = event.trial;
      if (event.kind === 'begun') onEvent({ kind: 'begun', cell });
      if (event.kind !== 'training' || event.event.kind !== 'epoch') return;
      onEvent({ kind: 'progress', cell, epoch: event.event.metrics.epoch + 1 });
    },
    onResult: async (ended) => {
      const { cell } = ended.trial;
      if (ended.status === 'done') {
        const result = await writeResult(options.results, ended, code);
        results.push(result);
        onEvent({ kind: 'done', cell, result });
        return;
      }
      const { message } = ended.error;
      if (ended.status === 'diverged') {
        await appendJsonLine(options.results, { ...cell, diverged: message, code: { ...code } } satisfies DivergedCell);
      }
      fail(ended.status, cell, message);
    },
  });
  return { results, failed };
}

/** A cell as a trial: its run folder is where its path says. */
interface CellTrial {
  readonly key: string;
  readonly config: Cell['config'];
  readonly cell: Cell;
}

function trialOf(cell: Cell): CellTrial {
  return { key: cellPath(cell), config: cell.config, cell };
}

async function writeResult(
  file: string,
  { trial, folder }: TrialResult<CellTrial>,
  code: CodeVersion,
): Promise<CellResult> {
  const result = await readCellResult(folder, trial.cell, code);
  await appendJsonLine(file, result);
  await removeCheckpoints(folder);
  return result;
}

/** They are the largest part of a run, and a complete run does not need them. */
async function removeCheckpoints(folder: string): Promise<void> {
  if (!isRun(folder)) return;
  const run = await openRun(folder);
  if (await run.isComplete()) await run.removeCheckpoints();
}

/** The line of a cell as it is configured now. */
function lineOf<Line extends CellResult | DivergedCell>(cell: Cell, lines: readonly Line[]): Line | undefined {
  const id = cellId(cell);
  return lines.find((line) => line.configHash === cell.configHash && cellId(line) === id);
}

/** A complete run is taken as it is: it had better be of this configuration. All others are named before anything is trained. */
async function refuseOtherConfigurations(runs: string, cells: readonly Cell[]): Promise<void> {
  const others: string[] = [];
  for (const cell of cells) {
    const folder = cellFolder(runs, cell);
    if (!isRun(folder)) continue;
    const differences = configDifference((await openRun(folder)).config, cell.config).map(
      ({ path, before, after }) => `${path} ${JSON.stringify(before)} there, ${JSON.stringify(after)} now`,
    );
    if (differences.length > 0) others.push(`${folder} (${differences.join('; ')})`);
  }
  if (others.length === 0) return;
  throw new UserError(
    `${others.length} run ${others.length === 1 ? 'folder holds a run' : 'folders hold runs'} of another configuration: ` +
      `${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}. Remove what is outdated, or choose another folder`,
  );
}
