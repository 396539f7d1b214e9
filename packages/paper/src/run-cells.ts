import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { configDifference, configHash } from '../config/difference.js';
import type { JobProgress } from '../experiments/job.js';
import { DivergedJobError, JobPool } from '../experiments/job-pool.js';
import { writeError } from '../files/file-error.js';
import { FolderLock, LOCK_FILE } from '../files/folder-lock.js';
import { appendJsonLine, keepJsonLines } from '../files/json-lines.js';
import { CHECKPOINT_FOLDER } from '../runs/checkpoint.js';
import { RUN_FILES, RunFolder } from '../runs/run-folder.js';
import { UserError } from '../user-error.js';
import { type CellLines, type CellResult, type DivergedCell, readCellLines, readCellResult } from './cell-result.js';
import { type Cell, cellFolder, cellId } from './cells.js';

/** What happens to a cell. */
export type CellEvent =
  /** Its result was there already. */
  | { readonly kind: 'found'; readonly cell: Cell; readonly result: CellResult }
  | { readonly kind: 'begun'; readonly cell: Cell }
  | { readonly kind: 'progress'; readonly cell: Cell; readonly progress: JobProgress }
  | { readonly kind: 'done'; readonly cell: Cell; readonly result: CellResult }
  /** Its training diverged, now or in an earlier run. */
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
  readonly processes?: number;
  readonly onEvent?: (event: CellEvent) => void;
  /** When aborted, cells that are running are left at a checkpoint, and the signal's reason is thrown. */
  readonly signal?: AbortSignal;
}

/** What came of all cells. */
export interface RunCellsOutcome {
  readonly results: readonly CellResult[];
  readonly failed: readonly { readonly cell: Cell; readonly message: string }[];
}

/**
 * Trains the cells that have no result yet, several at a time, each in a process of its own. A cell's line is on the disk
 * before the next cell begins. Whoever ends this at any moment, in whatever way, may call it again: what is finished is not
 * repeated, what was begun goes on from its checkpoint, and the results are those of an undisturbed run.
 *
 * @throws {@link UserError} if another process is at it, a run folder holds another configuration, or a cell is refused
 */
export async function runCells(options: RunCellsOptions): Promise<RunCellsOutcome> {
  const { runs, results } = options;
  for (const folder of [runs, dirname(results)]) {
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw writeError(folder, error);
    });
  }
  const lock = FolderLock.acquire(runs);
  try {
    await keepJsonLines(results); // what a killed process left half-written
    return await runMissing(options, await readCellLines(results));
  } finally {
    lock.release();
  }
}

async function runMissing(options: RunCellsOptions, lines: CellLines): Promise<RunCellsOutcome> {
  const { cells, runs, onEvent = () => undefined } = options;
  const results: CellResult[] = [];
  const failed: { cell: Cell; message: string }[] = [];
  const missing: Cell[] = [];
  const fail = (cell: Cell, message: string) => {
    failed.push({ cell, message });
    onEvent({ kind: 'failed', cell, message });
  };
  for (const cell of cells) {
    const result = lineOf(cell, lines.results);
    const diverged = lineOf(cell, lines.diverged)?.diverged;
    if (result !== undefined) {
      await removeCheckpoints(cellFolder(runs, cell)); // a killed process may have left them
      results.push(result);
      onEvent({ kind: 'found', cell, result });
    } else if (diverged !== undefined) fail(cell, diverged);
    else missing.push(cell);
  }
  await refuseOtherConfigurations(runs, missing);
  await inProcesses(missing, options, async (cell, train) => {
    onEvent({ kind: 'begun', cell });
    try {
      const result = await finished(cell, train, options);
      results.push(result);
      onEvent({ kind: 'done', cell, result });
    } catch (error) {
      if (!(error instanceof DivergedJobError)) throw error;
      await appendJsonLine(options.results, { ...cell, diverged: error.message } satisfies DivergedCell);
      fail(cell, error.message);
    }
  });
  return { results, failed };
}

/** The line of a cell as it is configured now. */
function lineOf<Line extends CellResult | DivergedCell>(cell: Cell, lines: readonly Line[]): Line | undefined {
  const id = cellId(cell);
  return lines.find((line) => line.configHash === cell.configHash && cellId(line) === id);
}

/** A complete run is taken as it is: it had better be of this configuration. */
async function refuseOtherConfigurations(runs: string, cells: readonly Cell[]): Promise<void> {
  const others: string[] = [];
  for (const cell of cells) {
    const folder = cellFolder(runs, cell);
    if (!existsSync(join(folder, RUN_FILES.config))) continue;
    const { config } = await RunFolder.open(folder);
    if (configHash(config) === cell.configHash) continue;
    const differences = configDifference(config, cell.config).map(
      ({ path, before, after }) => `${path} ${JSON.stringify(before)} there, ${JSON.stringify(after)} now`,
    );
    others.push(`${folder} (${differences.join('; ')})`);
  }
  if (others.length === 0) return;
  throw new UserError(
    `${others.length} run ${others.length === 1 ? 'folder holds a run' : 'folders hold runs'} of another configuration: ` +
      `${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}. Remove what is outdated, or choose another folder`,
  );
}

type Train = () => Promise<void>;

/** Does something with every cell, with as many at a time as there are processes. */
async function inProcesses(
  cells: readonly Cell[],
  { runs, processes = availableParallelism(), onEvent = () => undefined, signal }: RunCellsOptions,
  work: (cell: Cell, train: Train) => Promise<void>,
): Promise<void> {
  const pool = new JobPool(processes);
  const onAbort = () => pool.stop(reasonOf(signal));
  signal?.addEventListener('abort', onAbort);
  const waiting = cells.values(); // of which everybody takes the next one
  const workThrough = async () => {
    for (const cell of waiting) {
      if (signal?.aborted) throw reasonOf(signal);
      const folder = cellFolder(runs, cell);
      await work(cell, async () => {
        await whenUnlocked(folder);
        await pool.run({ folder, config: cell.config }, (progress) => onEvent({ kind: 'progress', cell, progress }));
      });
    }
  };
  let fault: Error | undefined;
  try {
    await Promise.all(
      Array.from({ length: processes }, () =>
        workThrough().catch((error: unknown) => {
          fault ??= error instanceof Error ? error : new Error(String(error));
          pool.stop(fault); // the others stop at a checkpoint
        }),
      ),
    );
  } finally {
    signal?.removeEventListener('abort', onAbort);
    pool.close();
  }
  if (fault !== undefined) throw fault;
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** Trains a cell and writes its line. */
async function finished(cell: Cell, train: Train, { runs, results }: RunCellsOptions): Promise<CellResult> {
  const folder = cellFolder(runs, cell);
  await train();
  const result = await readCellResult(folder, cell);
  await appendJsonLine(results, result);
  await removeCheckpoints(folder);
  return result;
}

/** They are the largest part of a run, and a complete run does not need them. */
async function removeCheckpoints(folder: string): Promise<void> {
  if (!existsSync(join(folder, RUN_FILES.evaluation))) return;
  await rm(join(folder, CHECKPOINT_FOLDER), { recursive: true, force: true });
}

/** Milliseconds. */
const LAST_BREATH = 60_000;
const LOOK_AGAIN = 100;

/** The process of a runner that was killed may live until it notices, and holds its lock as long. */
async function whenUnlocked(folder: string): Promise<void> {
  const end = performance.now() + LAST_BREATH;
  while (existsSync(join(folder, LOCK_FILE))) {
    try {
      FolderLock.acquire(folder).release();
    } catch (error) {
      if (!(error instanceof UserError) || performance.now() > end) throw error;
      await setTimeout(LOOK_AGAIN);
    }
  }
}
