import { float64At, int32At } from '../checked-access.js';
import type { DecimalMark } from './decimal-mark.js';
import type { Delimiter } from './delimiter.js';
import type { TextMeaning } from './missing-texts.js';

/** A column as a file has it, before anybody decided what it means. */
export type RawColumn = RawNumbers | RawDates | RawTexts;

/** Nothing but numbers, infinite ones among them; NaN where missing. */
export interface RawNumbers {
  readonly kind: 'numbers';
  readonly name: string;
  readonly values: Float64Array;
}

/** Points in time that a file marks as such: milliseconds since 1970, UTC; NaN where missing. */
interface RawDates {
  readonly kind: 'dates';
  readonly name: string;
  readonly values: Float64Array;
}

/** Distinct texts without blanks around them, and every row's code, which is the index of its text; −1 where missing. */
export interface RawTexts {
  readonly kind: 'texts';
  readonly name: string;
  readonly texts: readonly string[];
  readonly codes: Int32Array;
}

/** A file's columns, in its order. */
export interface RawTable {
  readonly rows: number;
  readonly columns: readonly RawColumn[];
  /** Where a person finds a row: its line in a text file, counted from 1, or its number. */
  readonly numbering: { readonly unit: 'line' | 'row'; readonly of: (row: number) => number };
  readonly notes: readonly string[];
  /** How the cells of a CSV file are written. */
  readonly writing?: CsvWriting;
  /** The JSON of every row, if the file has JSON lines and they were asked for. */
  readonly rowTexts?: readonly string[];
}

/** How the cells of a CSV file are written. */
export interface CsvWriting {
  readonly delimiter: Delimiter;
  readonly decimalMark: DecimalMark;
}

/** Which columns to read, after a look at the header. */
export interface ColumnRequest {
  /** Throws an UserError if the header will not do; gives the columns that are wanted. */
  readonly choose: (header: readonly string[]) => readonly ChosenColumn[];
  /** Names that the header should have: of several possible delimiters, the one that finds them is right. */
  readonly expected: readonly string[];
}

/** A column that is to be read. */
export interface ChosenColumn {
  /** Which column of the header it is. */
  readonly column: number;
  /** `texts`: texts even if all of them are numbers. `classes`: such texts as classes. `any`: numbers if all of them are, else texts. */
  readonly as: TextMeaning | 'any';
}

/** Some rows of a column. */
export function rowsOf(column: RawColumn, rows: Int32Array): RawColumn {
  if (column.kind === 'texts') return { ...column, codes: rows.map((row) => int32At(column.codes, row)) };
  return { ...column, values: Float64Array.from(rows, (row) => float64At(column.values, row)) };
}

/** A column as texts, whatever it holds: numbers as JavaScript writes them, points in time as ISO 8601. */
export function asTexts(column: RawColumn): RawTexts {
  if (column.kind === 'texts') return column;
  const codeOf = new Map<number, number>();
  const codes = new Int32Array(column.values.length);
  for (const [row, value] of column.values.entries()) {
    let code = Number.isNaN(value) ? -1 : codeOf.get(value);
    if (code === undefined) {
      code = codeOf.size;
      codeOf.set(value, code);
    }
    codes[row] = code;
  }
  const text = column.kind === 'dates' ? (value: number) => new Date(value).toISOString() : String;
  return { kind: 'texts', name: column.name, texts: Array.from(codeOf.keys(), text), codes };
}
