import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from 'evenhand';
import { errorCode } from 'evenhand/files';
import { type CellLines, type CellResult, type DivergedCell, readCellLines } from '../results/cell-result.js';
import { resultsFile } from '../results/layout.js';
import { type RowSummary, summarise } from '../results/summarise.js';
import { readTuningLines, type TuningLine } from '../results/tuning-line.js';
import type { CellMethod } from '../tables/cell-methods.js';
import { cellId, cellOf } from '../tables/cells.js';
import { SCALES, type Scale, scaleOf } from '../tables/recipes.js';
import { type LossName, PAPER_METHODS, type Setting, TABLE_NAMES, TABLES, type TableName } from '../tables/tables.js';

/** A row of one of the paper's tables, and what was run of it. */
export interface ResultRow {
  readonly setting: Setting;
  readonly loss: LossName;
  /** All cells, in the order of their seeds. */
  readonly cells: readonly CellResult[];
  /** Cells whose training diverged. */
  readonly diverged: readonly DivergedCell[];
  /** Undefined if nothing was run. */
  readonly summary: RowSummary | undefined;
}

/** A table of the paper at a scale. */
export interface ResultTable {
  readonly name: TableName;
  readonly scale: Scale;
  readonly rows: readonly ResultRow[];
  /** The fingerprint of the engine that computed the newest line; null if no line tells. */
  readonly engine: string | null;
}

/** All that the page is made of, but for the run folders. */
export interface Results {
  /** Every table at every scale that was run; a table of which nothing was run, at the scale of two cores. */
  readonly tables: readonly ResultTable[];
  /** What the paper leaves open; undefined if nothing was run of it. */
  readonly openQuestion: ResultTable | undefined;
  readonly tuning: readonly TuningLine[];
  /** Lines that were left out, because their cells were trained with another configuration than the present one. */
  readonly stale: number;
}

/**
 * Reads `<table>.<scale>.jsonl` and `tuning/*.jsonl` of a folder.
 *
 * @throws {@link UserError} that names the line which is none of ours
 */
export async function readResults(folder: string): Promise<Results> {
  const read = await Promise.all(TABLE_NAMES.map((name) => readTable(folder, name)));
  const tables = read.flatMap(({ name, found }) => {
    if (found.length > 0 || name === 'transformers') return found;
    return [tableOf(name, scaleOf(name, 'cpu'), { results: [], diverged: [] })];
  });
  return {
    tables: tables.filter(({ name }) => name !== 'transformers'),
    openQuestion: tables.find(({ name }) => name === 'transformers'),
    tuning: await readTuning(join(folder, 'tuning')),
    stale: read.reduce((sum, { stale }) => sum + stale, 0),
  };
}

/** A table at every scale that was run. */
async function readTable(folder: string, name: TableName) {
  const found: ResultTable[] = [];
  let stale = 0;
  for (const scale of SCALES.filter((asked) => scaleOf(name, asked) === asked)) {
    const file = resultsFile({ results: folder }, { table: name, scale });
    const lines = await readCellLines(file);
    refuseOthers(file, name, scale, lines);
    const present = { results: lines.results.filter(isCurrent), diverged: lines.diverged.filter(isCurrent) };
    stale += sizeOf(lines) - sizeOf(present);
    if (sizeOf(present) > 0) found.push(tableOf(name, scale, present));
  }
  return { name, found, stale };
}

function tableOf(name: TableName, scale: Scale, lines: CellLines): ResultTable {
  const engines = lines.results.flatMap(({ code }) => code?.engine ?? []);
  return { name, scale, rows: rowsOf(name, lines), engine: engines.at(-1) ?? null };
}

/** Whether a run was computed by another engine than the newest one of its table, or does not tell. */
export function isOfOtherEngine({ engine }: ResultTable, { code }: CellResult): boolean {
  return code === undefined || code.engine !== engine;
}

function sizeOf({ results, diverged }: CellLines): number {
  return results.length + diverged.length;
}

/** A file is named after what is in it; files that were put together could not be told apart any more. */
function refuseOthers(file: string, table: TableName, scale: Scale, { results, diverged }: CellLines): void {
  const other = [...results, ...diverged].find((line) => line.table !== table || line.scale !== scale);
  if (other === undefined) return;
  throw new UserError(
    `${file} holds a result of ${other.table} at the scale "${other.scale}" (${cellId(other)}); move it to a file of its own`,
  );
}

/** Whether a cell would be trained in the same way today, be it on another device. */
function isCurrent(line: CellResult | DivergedCell): boolean {
  return cellOf(line, { device: line.config.device }).configHash === line.configHash;
}

function rowsOf(table: TableName, { results, diverged }: CellLines): ResultRow[] {
  // Of a cell that has several lines, the last one counts.
  const byCell = new Map(results.map((line) => [cellId(line), line]));
  const latest = [...byCell.values()].sort((a, b) => a.seed - b.seed);
  // What diverged on one device may have a result of another.
  const without = [...new Map(diverged.map((line) => [cellId(line), line])).values()].filter(
    (line) => !byCell.has(cellId(line)),
  );
  const summaries = summarise(table, latest);
  return TABLES[table].settings.flatMap((setting) =>
    TABLES[table].losses.map((loss) => {
      const isOwn = (line: CellResult | DivergedCell) => line.setting === setting.name && line.loss === loss;
      const summary = summaries.find((known) => known.setting === setting && known.loss === loss);
      return { setting, loss, cells: latest.filter(isOwn), diverged: without.filter(isOwn), summary };
    }),
  );
}

async function readTuning(folder: string): Promise<TuningLine[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith('.jsonl')).sort();
  return (await Promise.all(files.map((file) => readTuningLines(join(folder, file))))).flat();
}

/** How many of a method's cells in a row diverged, on the table's own images. */
export function divergedSeeds({ diverged }: ResultRow, method: CellMethod): number {
  return diverged.filter((cell) => cell.method === method && cell.subset === 0).length;
}

/** A method's cells in a row, trained on the table's own images. */
export function tableCells({ cells }: ResultRow, method: CellMethod): CellResult[] {
  return cells.filter((cell) => cell.method === method && cell.subset === 0);
}

/** The methods that a row shows: the paper's, and others of which something was run. */
export function methodsOf({ cells, diverged }: ResultRow): CellMethod[] {
  return [...new Set<CellMethod>([...PAPER_METHODS, ...[...cells, ...diverged].map(({ method }) => method)])];
}
