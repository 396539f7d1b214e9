import { at } from '../checked-access.js';
import type { Column, ColumnType } from '../dataset/column.js';
import { fileName } from '../files/standard-input.js';
import { readAs } from '../tables/column-reading.js';
import { columnsInHeader } from '../tables/header.js';
import { className } from '../tables/labels.js';
import type { Tolerance } from '../tables/parsed-texts.js';
import { asTexts, type ColumnRequest } from '../tables/raw-table.js';
import { readTable } from '../tables/read-table.js';
import { decimalCommaNotes, decimalMarksOf, givenType, type TableReading } from './table-reading.js';

/** What to read beside the columns, and how. */
export interface ReadColumnsOptions extends TableReading {
  /** A column whose texts are wanted as well: the classes, for an evaluation. */
  readonly target?: string;
}

/** Columns of known types. */
export interface ReadColumns {
  /** The file's name. */
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
  const { target } = options;
  const name = fileName(path);
  const raw = await readTable(path, requestNamed(name, types, target), options);
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

function requestNamed(file: string, types: readonly ColumnType[], target: string | undefined): ColumnRequest {
  const names = types.map(({ name }) => name);
  const texts = new Set(
    types.filter(({ kind }) => kind === 'boolean' || kind === 'categorical').map(({ name }) => name),
  );
  if (target !== undefined && !names.includes(target)) names.push(target);
  const meaningOf = (name: string) => {
    if (name === target) return 'classes';
    return texts.has(name) ? 'texts' : 'any';
  };
  return {
    expected: names,
    choose: (header) =>
      columnsInHeader(file, header, names).map((column) => ({ column, as: meaningOf(at(header, column)) })),
  };
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
