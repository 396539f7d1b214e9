import { at, float64At, int32At } from '../checked-access.js';
import { numberOfText } from './cell-text.js';
import { missingCodes } from './codes.js';
import type { DecimalMark } from './decimal-mark.js';
import { parseIsoDate } from './iso-date.js';
import type { RawTexts } from './raw-table.js';

/** What a text without blanks around it means; null if it is no such value. */
type Parse = (text: string) => number | null;

/** How many cells may be something else than the others of their column. */
export type Tolerance = 'none' | 'few' | 'any';

// A few cells: at most 1 %, or one, with at most 20 different texts, beside at least 20 others with at least 10 different
// texts. With fewer cells a slip cannot be told from a habit; fewer texts may be categories of any kind.
const INVALID_SHARE = 0.01;
const MOST_INVALID_TEXTS = 20;
const LEAST_CELLS = 20;
export const LEAST_TEXTS = 10;

/** A column's texts as values. */
export interface ParsedTexts {
  /** Of every row; NaN where there is none. */
  readonly values: Float64Array;
  /** How many cells are no values; they are missing. */
  readonly invalidCells: number;
  /** The different texts of such cells, each with the first row that has it. */
  readonly invalidTexts: readonly { readonly text: string; readonly row: number }[];
}

/** Numbers, and how they were written. */
export interface ParsedNumbers extends ParsedTexts {
  readonly decimalMark: DecimalMark;
}

/**
 * Reads texts as numbers, by the way of writing them that leaves the fewest cells over, the first of equals.
 *
 * @returns null if more cells than are tolerated are no numbers
 */
export function parseNumbers(
  column: RawTexts,
  decimalMarks: readonly DecimalMark[],
  tolerance: Tolerance,
): ParsedNumbers | null {
  let best: ParsedNumbers | null = null;
  for (const decimalMark of decimalMarks) {
    const parsed = parseTexts(column, (text) => numberOfText(text, decimalMark), tolerance);
    if (parsed !== null && (best === null || parsed.invalidCells < best.invalidCells))
      best = { ...parsed, decimalMark };
  }
  return best;
}

/** Reads texts as dates; null if more cells than are tolerated are none. */
export function parseDates(column: RawTexts, tolerance: Tolerance): ParsedTexts | null {
  return parseTexts(column, parseIsoDate, tolerance);
}

function parseTexts({ texts, codes }: RawTexts, parse: Parse, tolerance: Tolerance): ParsedTexts | null {
  const mostInvalid = { none: 0, few: MOST_INVALID_TEXTS, any: texts.length }[tolerance];
  const parsed = new Float64Array(texts.length);
  const invalid = new Set<number>();
  for (const [code, text] of texts.entries()) {
    const value = parse(text);
    parsed[code] = value ?? Number.NaN;
    if (value === null) invalid.add(code);
    if (invalid.size > mostInvalid) return null;
  }
  const { cells, firstRows } = rowsWith(codes, invalid);
  if (tolerance === 'few' && cells > 0) {
    const valid = cellsWithText(codes) - cells;
    if (valid < LEAST_CELLS || texts.length - invalid.size < LEAST_TEXTS) return null;
    if (!areFew(cells, valid + cells)) return null;
  }
  return {
    values: Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : float64At(parsed, code))),
    invalidCells: cells,
    invalidTexts: [...firstRows].map(([code, row]) => ({ text: at(texts, code), row })),
  };
}

function rowsWith(codes: Int32Array, wanted: ReadonlySet<number>) {
  const firstRows = new Map<number, number>();
  let cells = 0;
  if (wanted.size === 0) return { cells, firstRows };
  for (let row = 0; row < codes.length; row++) {
    const code = int32At(codes, row);
    if (!wanted.has(code)) continue;
    cells++;
    if (!firstRows.has(code)) firstRows.set(code, row);
  }
  return { cells, firstRows };
}

function areFew(cells: number, all: number): boolean {
  return cells <= Math.max(1, INVALID_SHARE * all);
}

function cellsWithText(codes: Int32Array): number {
  return codes.length - missingCodes(codes);
}

/**
 * Whether a column of texts holds numbers with decimal commas.
 *
 * @param telling - what one of them has to look like
 */
export function hasDecimalCommas(column: RawTexts, telling: RegExp): boolean {
  const { texts, codes } = column;
  if (!texts.some((text) => telling.test(text) && numberOfText(text, ',') !== null)) return false;
  const isOne = (tolerance: Tolerance) => parseNumbers(column, [','], tolerance) !== null;
  if (!isOne('none') && !isOne('few')) return false;
  // A few commas among many whole numbers are slips, and say nothing of the file.
  const withComma = new Set(texts.flatMap((text, code) => (text.includes(',') ? [code] : [])));
  const cells = cellsWithText(codes);
  return cells < LEAST_CELLS || !areFew(rowsWith(codes, withComma).cells, cells);
}

/** One of the texts that means something else, or nothing, without decimal commas: `1,5`, or `1.234`. */
export function commaExample(texts: readonly string[]): string | undefined {
  const isNumber = (text: string) => numberOfText(text, ',') !== null;
  return (
    texts.find((text) => text.includes(',') && isNumber(text)) ??
    texts.find((text) => text.includes('.') && isNumber(text))
  );
}
