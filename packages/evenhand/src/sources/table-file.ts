import { int32At } from '../checked-access.js';
import { lengthOf } from '../dataset/column.js';
import type { TableDataset } from '../dataset/dataset.js';
import { fileName } from '../files/standard-input.js';
import { type TypedColumn, typeColumn } from '../tables/column-typing.js';
import { tableContentHash } from '../tables/content-hash.js';
import { columnsInHeader } from '../tables/header.js';
import { describeInvalid } from '../tables/invalid-cells.js';
import { labelsOf } from '../tables/labels.js';
import { type ChosenColumn, type ColumnRequest, type RawColumn, type RawTable, rowsOf } from '../tables/raw-table.js';
import { readTable } from '../tables/read-table.js';
import { UserError } from '../user-error.js';
import { decimalCommaNotes, decimalMarksOf, givenType, type TableReading } from './table-reading.js';

/** What to read from a table's file, how, and what to refuse. */
export interface TableFileOptions extends TableReading {
  /** The column that holds the classes. */
  readonly target: string;
  /** A column by which rows belong together: nothing is learned from it. */
  readonly group?: string | undefined;
  /** What to do about rows without a class. @defaultValue `refuse` */
  readonly missingLabels?: 'refuse' | 'drop';
  /** What to do about features without a value: leave them missing, for preprocessing to fill in, or refuse. @defaultValue `impute` */
  readonly missingValues?: 'impute' | 'refuse';
  /** Columns that are not read at all. */
  readonly ignore?: readonly string[] | undefined;
  /** Gives up reading, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a table with classes from a CSV, TSV, JSON lines or Parquet file, or from the standard input, which is `-`; format, packing by gzip,
 * encoding (UTF-8, UTF-16, else Windows-1252), delimiter and decimal commas are told by the content. Blanks around a value do not count. Empty cells and `NA`, `N/A`, `NaN`, `NaT`, `null`,
 * `nil`, `None`, `\\N`, `?`, `-`, `--` and `.` are missing values, in any mixture of capitals, as are infinite numbers; a class
 * may be called `nil`, `None`, `-` or `--`.
 *
 * All rows of a column together say what it is: numeric; boolean (`true`/`false`, `yes`/`no`, `t`/`f`, `y`/`n`); a date
 * (ISO 8601); else categorical. Left out, with a note, are constants, identifiers and free text. A column of numbers or dates
 * stays one if a few of its cells are something else: at most 1 %, or one cell, with at most 20 different texts, beside at least
 * 20 others with at least 10 different values. Such cells are missing, with a note, or refused.
 *
 * @throws UserError if the file cannot be used as it is
 */
export async function readTableFile(path: string, options: TableFileOptions): Promise<TableDataset> {
  const { target, group, missingLabels = 'refuse', missingValues = 'impute' } = options;
  const name = fileName(path);
  const raw = await readTable(path, requestAll(name, options), options);
  const targetColumn = raw.columns.find((column) => column.name === target);
  if (targetColumn === undefined) throw new UserError(`${name}: the column "${target}" holds no classes.`);
  const { classNames, labels, labelled } = labelsOf(name, targetColumn, raw.numbering, missingLabels);
  const notes = [...raw.notes];
  if (labelled !== null) notes.push(`${raw.rows - labels.length} of ${raw.rows} rows are dropped: they have no class.`);
  const rowNumbers = (row: number): number => (labelled === null ? row : int32At(labelled, row));
  const typed = raw.columns
    .filter((column) => column !== targetColumn)
    .map((column) => (labelled === null ? column : rowsOf(column, labelled)))
    .map(typingOf(raw, options, rowNumbers))
    .map((typed) =>
      typed.column.name === group ? { ...typed, leftOut: 'it says which rows belong together' } : typed,
    );
  const describeRow = (row: number) => `${raw.numbering.unit} ${raw.numbering.of(rowNumbers(row))}`;
  const used = typed.filter(({ leftOut }) => leftOut === null);
  if (options.invalidCells === 'refuse') refuseInvalid(name, used, describeRow);
  if (missingValues === 'refuse') refuseMissing(name, used);
  notes.push(...columnNotes(typed, describeRow));
  if (used.length === 0) throw noFeaturesError(name, notes);
  const columns = used.map(({ column }) => column);
  const leftOut = typed.filter((column) => column.leftOut !== null).map(({ column }) => column);
  const hasGroup = leftOut.some((column) => column.name === group);
  const table = { classNames, labels, columns, leftOut, ...(hasGroup && group !== undefined ? { group } : {}) };
  const contentHash = tableContentHash(table);
  const rowsInFile = labelled === null ? {} : { rowNumbers: labelled.map((row) => row + 1) };
  const writing = raw.writing === undefined ? {} : { writing: raw.writing };
  return { kind: 'table', name, target, ...table, ...rowsInFile, ...writing, contentHash, notes };
}

/** What decides the meaning of a table's columns. */
export function typingOf(
  raw: RawTable,
  reading: TableReading,
  rowNumbers: (row: number) => number,
): (column: RawColumn) => TypedColumn {
  const decimalMarks = decimalMarksOf(raw, reading);
  return (column) => typeColumn(column, { rowNumbers, decimalMarks, type: givenType(reading, column.name) });
}

/** All columns but those to be ignored; those with a given type that is no number are read as the texts that they are. */
export function requestAll(
  file: string,
  { target, group, ignore = [], types = {}, ...reading }: Partial<TableFileOptions>,
): ColumnRequest {
  const named = Object.keys(types);
  refuseContradictions([target, group], ignore, named);
  const expected = target === undefined ? [] : [target];
  const meaningOf = (name: string): ChosenColumn['as'] => {
    if (name === target) return 'classes';
    const type = givenType({ ...reading, types }, name);
    return type === 'categorical' || type === 'date' ? 'texts' : 'any';
  };
  return {
    expected,
    choose: (header) => {
      columnsInHeader(file, header, [...expected, ...ignore, ...named]);
      const isRead = (name: string) => !ignore.includes(name);
      return header.flatMap((name, column) => (isRead(name) ? [{ column, as: meaningOf(name) }] : []));
    },
  };
}

/** Names of columns that more than one option claims. */
function refuseContradictions(
  roles: readonly (string | undefined)[],
  ignore: readonly string[],
  typed: readonly string[],
): void {
  const needed = [...roles, ...typed].find((name) => name !== undefined && ignore.includes(name));
  if (needed !== undefined) {
    throw new UserError(`data.ignore has "${needed}", which another option needs; leave it out of one of them`, {
      options: ['data.ignore'],
    });
  }
  const [target] = roles;
  if (target !== undefined && typed.includes(target)) {
    throw new UserError(`data.types has "${target}", which is the target: it always holds classes`, {
      options: ['data.types'],
    });
  }
}

function refuseInvalid(file: string, columns: readonly TypedColumn[], describeRow: (row: number) => string): void {
  const list = columns.flatMap((column) => invalidIn(column, describeRow));
  if (list.length === 0) return;
  throw new UserError(
    `${file}: ${list.join('; ')}. Correct them, or set invalidCells to "missing" to have them taken for missing values.`,
    { options: ['data.invalidCells'] },
  );
}

function invalidIn({ column, invalid }: TypedColumn, describeRow: (row: number) => string): string[] {
  if (invalid === undefined || (column.kind !== 'numeric' && column.kind !== 'date')) return [];
  return [`in column "${column.name}" ${describeInvalid(invalid, column.kind, lengthOf(column), describeRow)}`];
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

/**
 * What a person should be told about the columns of a table.
 *
 * @param describeRow - what a message calls a row
 */
export function columnNotes(typed: readonly TypedColumn[], describeRow: (row: number) => string): string[] {
  return [...decimalCommaNotes(typed), ...typed.flatMap((column) => notesOf(column, describeRow))];
}

function notesOf(typed: TypedColumn, describeRow: (row: number) => string): string[] {
  const { name } = typed.column;
  const remarks = typed.remark === undefined ? [] : [`Column "${name}" ${typed.remark}.`];
  if (typed.leftOut !== null) return [`Column "${name}" is left out: ${typed.leftOut}.`, ...remarks];
  return [
    ...invalidIn(typed, describeRow).map((what) => `Taken for missing values: ${what}.`),
    ...(typed.missing === 0 ? [] : [`Column "${name}" has missing values: ${countOf(typed)}.`]),
    ...remarks,
  ];
}

function countOf({ column, missing, infinite, invalid }: TypedColumn): string {
  const parts = [
    ...(infinite === 0 ? [] : [`${infinite} infinite`]),
    ...(invalid === undefined ? [] : [`${invalid.invalidCells} no ${column.kind === 'date' ? 'date' : 'number'}`]),
  ];
  return `${missing} of ${lengthOf(column)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
}

function noFeaturesError(file: string, notes: readonly string[]): UserError {
  const reasons = notes.length === 0 ? ' There is no other column beside the target.' : ` ${notes.join(' ')}`;
  return new UserError(`${file} has no column to learn from.${reasons}`);
}
