import { basename } from 'node:path';
import { int32At } from '../checked-access.js';
import { lengthOf } from '../dataset/column.js';
import type { TableDataset } from '../dataset/dataset.js';
import { type TypedColumn, typeColumn } from '../tables/column-typing.js';
import { tableContentHash } from '../tables/content-hash.js';
import type { Delimiter } from '../tables/delimiter.js';
import { columnsInHeader } from '../tables/header.js';
import { labelsOf } from '../tables/labels.js';
import { type ColumnRequest, rowsOf } from '../tables/raw-table.js';
import { readTable } from '../tables/read-table.js';
import { UserError } from '../user-error.js';

/** What to read from a table's file, and what to refuse. */
export interface TableFileOptions {
  /** The column that holds the classes. */
  readonly target: string;
  /** A column by which rows belong together: nothing is learned from it. */
  readonly group?: string | undefined;
  /** What to do about rows without a class. @defaultValue `refuse` */
  readonly missingLabels?: 'refuse' | 'drop';
  /** What to do about features without a value: leave them missing, for preprocessing to fill in, or refuse. @defaultValue `impute` */
  readonly missingValues?: 'impute' | 'refuse';
  /** What stands between the cells of a text file. Detected unless given. */
  readonly delimiter?: Delimiter;
  /** Gives up reading, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a table with classes from a CSV, TSV or Parquet file; format, encoding (UTF-8, UTF-16, else Windows-1252) and
 * delimiter are told by the content. Blanks around a value do not count. Empty cells and `NA`, `N/A`, `NaN`, `NaT`, `null`,
 * `nil`, `None`, `\\N`, `?`, `-`, `--` and `.` are missing values, in any mixture of capitals, as are infinite numbers; a class
 * may be called `nil`, `None`, `-` or `--`.
 *
 * All rows of a column together say what it is: numeric; boolean (`true`/`false`, `yes`/`no`, `t`/`f`, `y`/`n`); a date
 * (ISO 8601); else categorical. Left out, with a note, are constants, identifiers and free text.
 *
 * @throws UserError if the file cannot be used as it is
 */
export async function readTableFile(path: string, options: TableFileOptions): Promise<TableDataset> {
  const { target, group, missingLabels = 'refuse', missingValues = 'impute', delimiter, signal } = options;
  const name = basename(path);
  const raw = await readTable(path, requestAll(name, target), { delimiter, signal });
  const targetColumn = raw.columns.find((column) => column.name === target);
  if (targetColumn === undefined) throw new UserError(`${name}: the column "${target}" holds no classes.`);
  const { classNames, labels, labelled } = labelsOf(name, targetColumn, raw.numbering, missingLabels);
  const notes = [...raw.notes];
  if (labelled !== null) notes.push(`${raw.rows - labels.length} of ${raw.rows} rows are dropped: they have no class.`);
  const rowNumbers = (row: number): number => (labelled === null ? row : int32At(labelled, row));
  const typed = raw.columns
    .filter((column) => column !== targetColumn)
    .map((column) => typeColumn(labelled === null ? column : rowsOf(column, labelled), rowNumbers))
    .map((typed) =>
      typed.column.name === group ? { ...typed, leftOut: 'it says which rows belong together' } : typed,
    );
  const used = typed.filter(({ leftOut }) => leftOut === null);
  if (missingValues === 'refuse') refuseMissing(name, used);
  notes.push(...typed.flatMap(notesOf));
  if (used.length === 0) throw noFeaturesError(name, notes);
  const columns = used.map(({ column }) => column);
  const leftOut = typed.filter((column) => column.leftOut !== null).map(({ column }) => column);
  const hasGroup = leftOut.some((column) => column.name === group);
  const table = { classNames, labels, columns, leftOut, ...(hasGroup && group !== undefined ? { group } : {}) };
  const contentHash = tableContentHash(table);
  const rowsInFile = labelled === null ? {} : { rowNumbers: labelled.map((row) => row + 1) };
  return { kind: 'table', name, target, ...table, ...rowsInFile, contentHash, notes };
}

function requestAll(file: string, target: string): ColumnRequest {
  return {
    expected: [target],
    choose: (header) => {
      columnsInHeader(file, header, [target]);
      return header.map((name, column) => ({ column, as: name === target ? 'classes' : 'any' }));
    },
  };
}

function refuseMissing(file: string, columns: readonly TypedColumn[]): void {
  const missing = columns.filter((column) => column.missing > 0);
  if (missing.length === 0) return;
  const list = missing.map((column) => `"${column.column.name}" ${countOf(column)}`);
  throw new UserError(
    `${file}: values are missing: ${list.join(', ')}. Fill them in, or set missingValues to "impute" to have them filled in by preprocessing.`,
    { options: ['data.missingValues'] },
  );
}

function notesOf(typed: TypedColumn): string[] {
  const { name } = typed.column;
  if (typed.leftOut !== null) return [`Column "${name}" is left out: ${typed.leftOut}.`];
  return [
    ...(typed.missing === 0 ? [] : [`Column "${name}" has missing values: ${countOf(typed)}.`]),
    ...(typed.remark === undefined ? [] : [`Column "${name}" ${typed.remark}.`]),
  ];
}

function countOf({ column, missing, infinite }: TypedColumn): string {
  return `${missing} of ${lengthOf(column)}${infinite === 0 ? '' : ` (${infinite} infinite)`}`;
}

function noFeaturesError(file: string, notes: readonly string[]): UserError {
  const reasons = notes.length === 0 ? ' There is no other column beside the target.' : ` ${notes.join(' ')}`;
  return new UserError(`${file} has no column to learn from.${reasons}`);
}
