import { at } from '../checked-access.js';
import type { Column, ColumnType } from '../dataset/column.js';
import { UserError } from '../user-error.js';
import { shortened } from './cell-text.js';
import { missingCodes, recoded } from './codes.js';
import type { DecimalMark } from './decimal-mark.js';
import { describeInvalid } from './invalid-cells.js';
import { commaExample, type ParsedTexts, parseDates, parseNumbers, type Tolerance } from './parsed-texts.js';
import { asTexts, type RawColumn, type RawTexts } from './raw-table.js';

/** A column of a known type, and what a person should be told about it. */
interface ColumnOfType {
  readonly column: Column;
  readonly notes: readonly string[];
  /** One of its numbers that means something else with decimal commas, as the file has it. */
  readonly commaExample?: string;
}

/** How a column of a known type is read. */
interface ReadingOfType {
  readonly file: string;
  /** What a message calls a row. */
  readonly describeRow: (row: number) => string;
  /** How numbers may be written, the likeliest way first. */
  readonly decimalMarks: readonly DecimalMark[];
  /** How many cells may be no numbers or dates; they are missing. */
  readonly tolerance: Tolerance;
}

/**
 * Reads a column as the type that it had in training.
 *
 * @param raw - undefined if the file's column holds values that no column can have
 */
export function readAs(type: ColumnType, raw: RawColumn | undefined, reading: ReadingOfType): ColumnOfType {
  const { file } = reading;
  if (raw === undefined) {
    throw new UserError(
      `${file}: the column "${type.name}" holds lists, structures or bytes; expected ${type.kind} values.`,
    );
  }
  if (type.kind === 'categorical' || type.kind === 'boolean') return readCodes(type, raw);
  const isNumeric = type.kind === 'numeric';
  if (raw.kind === (isNumeric ? 'numbers' : 'dates')) return withNotes(type, finiteOf(raw.values), []);
  const texts = asTexts(raw);
  const parse = (tolerance: Tolerance) =>
    isNumeric ? parseNumbers(texts, reading.decimalMarks, tolerance) : parseDates(texts, tolerance);
  const parsed = parse('none') ?? parse(reading.tolerance);
  if (parsed === null) throw invalidError(type, texts, parse('any'), reading);
  const described = describeInvalid(parsed, type.kind, parsed.values.length, reading.describeRow);
  const notes = parsed.invalidCells === 0 ? [] : [`Taken for missing values: in column "${type.name}" ${described}.`];
  const isComma = 'decimalMark' in parsed && parsed.decimalMark === ',';
  const example = isComma ? commaExample(texts.texts) : undefined;
  return {
    ...withNotes(type, finiteOf(parsed.values), notes),
    ...(example === undefined ? {} : { commaExample: example }),
  };
}

/** Infinite values count as missing. */
function finiteOf(values: Float64Array): Float64Array {
  return values.map((value) => (Number.isFinite(value) ? value : Number.NaN));
}

function withNotes(
  type: Extract<ColumnType, { kind: 'numeric' | 'date' }>,
  values: Float64Array,
  notes: readonly string[],
): ColumnOfType {
  const missing = values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  const counted = missing === 0 ? [] : [`Column "${type.name}" has missing values: ${missing} of ${values.length}.`];
  return { column: { ...type, values }, notes: [...notes, ...counted] };
}

function readCodes(type: Extract<ColumnType, { kind: 'categorical' | 'boolean' }>, raw: RawColumn): ColumnOfType {
  const { texts, codes } = asTexts(raw);
  // JSON has its own words for yes and no, whatever those of training were.
  const words = type.kind === 'boolean' ? ['false', 'true', ...type.texts] : type.categories;
  const known = new Map(words.map((text, code) => [text, type.kind === 'boolean' ? code % 2 : code]));
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

function invalidError(
  { name, kind }: ColumnType,
  { texts }: RawTexts,
  parsed: ParsedTexts | null,
  { file, describeRow }: ReadingOfType,
): UserError {
  const [first] = parsed?.invalidTexts ?? [];
  if (first === undefined)
    throw new Error(`internal: the column "${name}" of ${texts.length} texts has none that is wrong`);
  const expected = kind === 'date' ? 'a date such as 2024-12-31 or 2024-12-31T23:59:59Z' : 'a number';
  return new UserError(
    `${file}, ${describeRow(first.row)}: the column "${name}" has ${JSON.stringify(shortened(first.text, 40))}, where ${expected} is expected, as in training.`,
  );
}
