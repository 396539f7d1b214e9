import { at, float64At } from '../checked-access.js';
import { shortened } from './cell-text.js';

/** Fewer rows may be numbered by accident. */
const LEAST_ROWS = 10;
const IDENTIFIER_WORDS = new Set(['id', 'uuid', 'guid', 'key', 'index', 'rowid']);

/**
 * Why a column of numbers tells instances apart instead of describing them, or null if it does not: it counts the rows of
 * the file from 0 or 1, in order; or a word of its name says so, and its values are different integers. None is missing, and
 * there are at least ten. Cells that are no numbers among them do not count.
 *
 * @param missing - how many cells are empty
 * @param rowNumbers - which row of the file each row is, from 0
 */
export function numberIdentifier(
  name: string,
  values: Float64Array,
  missing: number,
  rowNumbers: (row: number) => number,
): string | null {
  if (missing > 0 || values.length < LEAST_ROWS) return null;
  if (countsRows(values, rowNumbers)) return 'it numbers the rows';
  const isNamedSo = wordsOf(name).some((word) => IDENTIFIER_WORDS.has(word));
  if (isNamedSo && areDifferentIntegers(values))
    return 'it looks like an identifier, by its name and as all its values differ';
  return null;
}

function countsRows(values: Float64Array, rowNumbers: (row: number) => number): boolean {
  const first = values.findIndex((value) => !Number.isNaN(value));
  const ahead = float64At(values, first) - rowNumbers(first);
  if (ahead !== 0 && ahead !== 1) return false;
  return values.every((value, row) => Number.isNaN(value) || value === rowNumbers(row) + ahead);
}

function areDifferentIntegers(values: Float64Array): boolean {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  if (!sorted.every(Number.isInteger)) return false;
  return sorted.every((value, index) => value !== sorted[index - 1]);
}

/** `patient_id`, `patientId` and `Patient ID` are the same words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u);
}

/** Nearly every text is another one: an identifier, or a name. */
const IDENTIFIER_SHARE = 0.95;
/** A category should be seen several times; up to 20 are taken however few rows there are. */
const CATEGORY_SHARE = 0.5;
const FEW_CATEGORIES = 20;
const MOST_CATEGORIES = 10_000;

/**
 * Why texts are no categories, or null if they are: an identifier has at least 95 % different texts; free text has more
 * than half of them different, and more than 20, or more than 10,000.
 *
 * @param cells - how many cells have a text
 */
export function textIdentifier(texts: readonly string[], cells: number): string | null {
  const count = `${texts.length} different texts in ${cells} cells, such as ${JSON.stringify(shortened(at(texts, 0), 40))}`;
  if (texts.length > 1 && texts.length >= IDENTIFIER_SHARE * cells) return `it looks like an identifier: ${count}`;
  if (texts.length > Math.max(FEW_CATEGORIES, CATEGORY_SHARE * cells) || texts.length > MOST_CATEGORIES) {
    return `it looks like free text: ${count}`;
  }
  return null;
}
