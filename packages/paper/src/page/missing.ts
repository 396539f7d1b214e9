import { npmScript } from '../npm-script.js';
import { type CellKey, cellOf } from '../tables/cells.js';
import { PAPER_METHODS, PAPER_SEEDS } from '../tables/tables.js';
import { secondsOf } from './cost.js';
import type { ResultRow, ResultTable } from './results.js';

/** What is missing of a row, and how to get it. */
interface MissingRow {
  readonly row: ResultRow;
  readonly runs: number;
  /** Seconds of one core, roughly. */
  readonly seconds: number;
  readonly command: string;
}

/** The rows of a table that lack some of the paper's methods × seeds. */
export function missingRows(table: Pick<ResultTable, 'name' | 'scale' | 'rows'>): MissingRow[] {
  return table.rows.flatMap((row) => {
    const cells = missingCells(table, row);
    if (cells.length === 0) return [];
    const seconds = cells.reduce((sum, cell) => sum + secondsOf(cell.setting, cellOf(cell).config), 0);
    const command = reproduceCommand(table, `${row.setting.name}/${row.loss}`);
    return [{ row, runs: cells.length, seconds, command }];
  });
}

function missingCells({ name, scale }: Pick<ResultTable, 'name' | 'scale'>, row: ResultRow): CellKey[] {
  return PAPER_METHODS.flatMap((method) => {
    const ended = [...row.cells, ...row.diverged].filter((cell) => cell.method === method && cell.subset === 0);
    const done = new Set(ended.map(({ seed }) => seed));
    return Array.from({ length: PAPER_SEEDS }, (_, seed) => seed)
      .filter((seed) => !done.has(seed))
      .map((seed) => ({ table: name, scale, setting: row.setting.name, loss: row.loss, method, seed, subset: 0 }));
  });
}

/** The command that runs a table, or a row of it. */
export function reproduceCommand({ name, scale }: Pick<ResultTable, 'name' | 'scale'>, only?: string): string {
  return npmScript('reproduce', name, '--scale', scale, ...(only === undefined ? [] : ['--only', only]));
}
