import { at } from '../checked-access.js';
import { className } from '../dataset/class-name.js';
import type { Column, ColumnType } from '../dataset/column.js';
import { fileName } from '../files/standard-input.js';
import { shortened } from '../tables/cell-text.js';
import { readAs } from '../tables/column-reading.js';
import { columnsInHeader, refuseUnknownColumns } from '../tables/header.js';
import { ObjectColumns } from '../tables/object-columns.js';
import type { Tolerance } from '../tables/parsed-texts.js';
import { asTexts, type ColumnRequest, type RawTable } from '../tables/raw-table.js';
import { readTable, readTableText } from '../tables/read-table.js';
import { UserError } from '../user-error.js';
import { decimalCommaNotes, decimalMarksOf, givenType, type TableReading } from './table-reading.js';

/** What to read beside the columns, and how. */
export interface ReadColumnsOptions extends TableReading {
  /** A column whose texts are wanted as well: the classes, for an evaluation. */
  readonly target?: string;
  /** Columns that may be there beside those that are read; any other is refused. @defaultValue all are ignored */
  readonly others?: readonly string[] | undefined;
}

/** Columns of known types. */
export interface ReadColumns {
  /** The file's name, or what else messages call it. */
  readonly name: string;
  readonly rows: number;
  /** In the order of the types. */
  readonly columns: readonly Column[];
  /** The class of every row, as text; null where missing. Empty if no target was asked for. */
  readonly targets: readonly (string | null)[];
  /** Where a person finds a row: `line 7` of a text file, counted from 1 with the header, or `row 6`. */
  readonly describeRow: (row: number) => string;
  /** What a person should be told: values missing, texts that training never saw. */
  readonly notes: readonly string[];
}

/**
 * Reads columns of known types from a CSV, TSV, JSON lines or Parquet file, for prediction and evaluation. They are found by their names,
 * in any order; others are ignored. A category that is not among those of its type counts as missing, as do a few cells that are no
 * number or date where one is expected.
 *
 * @throws UserError that names all columns that are not there, or a cell that is no number or date where one is expected
 */
export async function readColumns(
  path: string,
  types: readonly ColumnType[],
  options: ReadColumnsOptions = {},
): Promise<ReadColumns> {
  const name = fileName(path);
  return typedColumns(name, await readTable(path, requestNamed(name, types, options), options), types, options);
}

/**
 * {@link readColumns} of a text that is in memory: CSV, TSV or JSON lines.
 *
 * @param name - what messages call it
 */
export async function columnsOfText(
  name: string,
  content: Buffer,
  types: readonly ColumnType[],
  options: ReadColumnsOptions = {},
): Promise<ReadColumns> {
  const raw = await readTableText(name, content, requestNamed(name, types, options), options);
  return typedColumns(name, raw, types, options);
}

/** What a plain object may have for a cell. */
export type CellValue = number | bigint | string | boolean | Date | null | undefined;

/** One row of a table: values by the names of their columns. */
export type TableRow = Readonly<Record<string, CellValue>>;

/**
 * Columns of known types from plain objects, in the way of {@link readColumns}. A key that an object does not have is a missing
 * value there.
 *
 * @throws UserError that names the row, from 1, and the key of a value that is no cell, or no number or date where one is expected
 */
export function columnsOfRows(rows: readonly unknown[], types: readonly ColumnType[]): ReadColumns {
  const columns = new ObjectColumns();
  if (!Array.isArray(rows))
    throw new UserError(`the rows are ${typeof rows}; expected a list of objects, one for each row`);
  for (const [row, given] of rows.entries()) {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new UserError(
        `${ROWS}, row ${row + 1} is ${shortened(JSON.stringify(given) ?? typeof given, 40)}; expected an object with a value for each column, such as {"age": 42}`,
      );
    }
    columns.take(given);
  }
  const names = types.map(({ name }) => name);
  if (rows.length > 0 && !names.some((name) => columns.has(name))) columnsInHeader(ROWS, columns.header, names);
  const refuse = (row: number, key: string, what: string) =>
    new UserError(
      `${ROWS}, row ${row + 1}: "${key}" is ${what}; expected a number, a text, true, false, a Date, or null if it is missing`,
    );
  const read = types.map(({ name, kind }) => columns.column(name, meaningOf(kind), refuse));
  const numbering: RawTable['numbering'] = { unit: 'row', of: (row) => row + 1 };
  return typedColumns(ROWS, { rows: rows.length, columns: read, numbering, notes: [] }, types, {});
}

/** What messages call rows that are in memory. */
const ROWS = 'the table';

function typedColumns(
  name: string,
  raw: RawTable,
  types: readonly ColumnType[],
  options: ReadColumnsOptions,
): ReadColumns {
  const { target } = options;
  const byName = new Map(raw.columns.map((column) => [column.name, column]));
  const describeRow = (row: number): string => `${raw.numbering.unit} ${raw.numbering.of(row)}`;
  const decimalMarks = decimalMarksOf(raw, options);
  const read = types.map((type) => {
    const tolerance = toleranceOf(type.name, options);
    return readAs(type, byName.get(type.name), { file: name, describeRow, decimalMarks, tolerance });
  });
  const columns = read.map(({ column }) => column);
  const notes = [...raw.notes, ...decimalCommaNotes(read), ...read.flatMap((column) => column.notes)];
  const classes = target === undefined ? undefined : byName.get(target);
  const targets = classes === undefined ? [] : textsByRow(asTexts(classes));
  return { name, rows: raw.rows, columns, targets, describeRow, notes };
}

/** As in training: a given type takes whatever does not fit for missing. */
function toleranceOf(column: string, reading: TableReading): Tolerance {
  if (reading.invalidCells === 'refuse') return 'none';
  return givenType(reading, column) === undefined ? 'few' : 'any';
}

function requestNamed(
  file: string,
  types: readonly ColumnType[],
  { target, others }: ReadColumnsOptions,
): ColumnRequest {
  const kinds = new Map(types.map(({ name, kind }) => [name, kind]));
  const names = [...kinds.keys()];
  if (target !== undefined && !kinds.has(target)) names.push(target);
  return {
    expected: names,
    choose: (header) => {
      if (others !== undefined) refuseUnknownColumns(file, header, [...names, ...others]);
      return columnsInHeader(file, header, names).map((column) => {
        const name = at(header, column);
        return { column, as: name === target ? 'classes' : meaningOf(kinds.get(name)) };
      });
    },
  };
}

function meaningOf(kind: ColumnType['kind'] | undefined): 'texts' | 'any' {
  return kind === 'boolean' || kind === 'categorical' ? 'texts' : 'any';
}

function textsByRow({
  texts,
  codes,
}: {
  readonly texts: readonly string[];
  readonly codes: Int32Array;
}): (string | null)[] {
  const names = texts.map(className);
  return Array.from(codes, (code) => (code < 0 ? null : at(names, code)));
}
