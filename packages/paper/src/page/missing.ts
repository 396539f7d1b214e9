import { npmScript } from '../npm-script.js';
import type { CellMethod } from '../tables/cell-methods.js';
import { type CellKey, cellOf } from '../tables/cells.js';
import { planOf } from '../tables/plans.js';
import { PAPER_METHODS } from '../tables/tables.js';
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

type TableRows = Pick<ResultTable, 'name' | 'scale' | 'rows'>;

/** The rows of a table that lack some of what is planned for it. */
export function missingRows(table: TableRows): MissingRow[] {
  return table.rows.flatMap((row) => {
    const cells = missingCells(table, row);
    if (cells.length === 0) return [];
    const seconds = cells.reduce((sum, cell) => sum + secondsOf(cell.setting, cellOf(cell).config), 0);
    const command = reproduceCommand(table, `${row.setting.name}/${row.loss}`);
    return [{ row, runs: cells.length, seconds, command }];
  });
}

/** Whether runs of the paper's own methods are missing: what such a table says may change with them. */
export function isPartial(table: TableRows): boolean {
  const paper: readonly CellMethod[] = PAPER_METHODS;
  return table.rows.some((row) => missingCells(table, row).some(({ method }) => paper.includes(method)));
}

function missingCells({ name, scale }: TableRows, row: ResultRow): CellKey[] {
  const ended = [...row.cells, ...row.diverged].filter(({ subset }) => subset === 0);
  const planned = planOf(name, scale).filter(({ losses }) => losses.includes(row.loss));
  const methods = [...new Set(planned.flatMap((stage) => stage.methods))];
  return methods.flatMap((method) => {
    const seeds = Math.max(...planned.filter((stage) => stage.methods.includes(method)).map((stage) => stage.seeds));
    const done = new Set(ended.filter((cell) => cell.method === method).map(({ seed }) => seed));
    return Array.from({ length: seeds }, (_, seed) => seed)
      .filter((seed) => !done.has(seed))
      .map((seed) => ({ table: name, scale, setting: row.setting.name, loss: row.loss, method, seed, subset: 0 }));
  });
}

/** The command that runs a table, or a row of it. */
export function reproduceCommand({ name, scale }: Pick<ResultTable, 'name' | 'scale'>, only?: string): string {
  return npmScript('reproduce', name, '--scale', scale, ...(only === undefined ? [] : ['--only', only]));
}
