import { at } from '../checked-access.js';
import type { Column, ColumnType } from '../dataset/column.js';
import { UserError } from '../user-error.js';
import { numberOfText, shortened } from './cell-text.js';
import { missingCodes, recoded } from './codes.js';
import { parseIsoDate } from './iso-date.js';
import { asTexts, type RawColumn } from './raw-table.js';

/** A column of a known type, and what a person should be told about it. */
interface ColumnOfType {
  readonly column: Column;
  readonly notes: readonly string[];
}

/**
 * Reads a column as the type that it had in training.
 *
 * @param raw - undefined if the file's column holds values that no column can have
 * @param describeRow - what a message calls a row
 */
export function readAs(
  type: ColumnType,
  raw: RawColumn | undefined,
  file: string,
  describeRow: (row: number) => string,
): ColumnOfType {
  if (raw === undefined) {
    throw new UserError(
      `${file}: the column "${type.name}" holds lists, structures or bytes; expected ${type.kind} values.`,
    );
  }
  if (type.kind === 'categorical' || type.kind === 'boolean') return readCodes(type, raw);
  const values = type.kind === 'numeric' ? numbersOf(raw, file, describeRow) : datesOf(raw, file, describeRow);
  const missing = values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  const notes = missing === 0 ? [] : [`Column "${type.name}" has missing values: ${missing} of ${values.length}.`];
  return { column: { ...type, values }, notes };
}

function readCodes(type: Extract<ColumnType, { kind: 'categorical' | 'boolean' }>, raw: RawColumn): ColumnOfType {
  const { texts, codes } = asTexts(raw);
  const known = new Map((type.kind === 'boolean' ? type.texts : type.categories).map((text, code) => [text, code]));
  // A text that training never saw counts as missing.
  const codeOf = Int32Array.from(texts, (text) => known.get(type.kind === 'boolean' ? text.toLowerCase() : text) ?? -1);
  const knownCodes = recoded(codes, codeOf);
  const missing = missingCodes(codes);
  const unknown = missingCodes(knownCodes) - missing;
  const notes: string[] = [];
  if (missing > 0) notes.push(`Column "${type.name}" has missing values: ${missing} of ${codes.length}.`);
  if (unknown > 0) {
    const example = JSON.stringify(shortened(at(texts, codeOf.indexOf(-1)), 40));
    notes.push(
      `Column "${type.name}" has texts that training never saw, such as ${example}, in ${unknown} of ${codes.length} rows; they count as missing.`,
    );
  }
  return { column: { ...type, codes: knownCodes }, notes };
}

function numbersOf(raw: RawColumn, file: string, describeRow: (row: number) => string): Float64Array {
  if (raw.kind === 'numbers') return raw.values.map((value) => (Number.isFinite(value) ? value : Number.NaN));
  return parsedTexts(raw, file, describeRow, 'a number', (text) => {
    const value = numberOfText(text);
    return value === Number.POSITIVE_INFINITY ? Number.NaN : value;
  });
}

function datesOf(raw: RawColumn, file: string, describeRow: (row: number) => string): Float64Array {
  if (raw.kind === 'dates') return raw.values;
  return parsedTexts(raw, file, describeRow, 'a date such as 2024-12-31 or 2024-12-31T23:59:59Z', parseIsoDate);
}

function parsedTexts(
  raw: RawColumn,
  file: string,
  describeRow: (row: number) => string,
  expected: string,
  parse: (text: string) => number | null,
): Float64Array {
  const { texts, codes } = asTexts(raw);
  const parsed = texts.map(parse);
  const values = new Float64Array(codes.length);
  for (const [row, code] of codes.entries()) {
    const value = code < 0 ? Number.NaN : at(parsed, code);
    if (value === null) {
      throw new UserError(
        `${file}, ${describeRow(row)}: the column "${raw.name}" has ${JSON.stringify(shortened(at(texts, code), 40))}, where ${expected} is expected, as in training.`,
      );
    }
    values[row] = value;
  }
  return values;
}
