import type { Column } from '../dataset/column.js';
import { numberOfText } from './cell-text.js';
import { numberIdentifier, textIdentifier } from './identifiers.js';
import { parseIsoDate } from './iso-date.js';
import type { RawColumn, RawTexts } from './raw-table.js';

/** A column with its meaning, and what there is to say about it. */
export interface TypedColumn {
  readonly column: Column;
  /** Cells without a value, the infinite ones among them. */
  readonly missing: number;
  readonly infinite: number;
  /** Why nothing can be learned from it, if so. */
  readonly leftOut: string | null;
}

/** Pairs of texts, in any mixture of capitals, that mean false and true. 0 and 1 are numbers. */
const BOOLEAN_TEXTS: readonly (readonly [no: string, yes: string])[] = [
  ['false', 'true'],
  ['no', 'yes'],
  ['f', 't'],
  ['n', 'y'],
];

/**
 * Decides what a column means by looking at all its rows: numeric if every text is a number, boolean if there are two texts
 * of a known pair, dates if every text is one, else categorical.
 *
 * @param rowNumbers - the place in the file of every row
 */
export function typeColumn(raw: RawColumn, rowNumbers: (row: number) => number): TypedColumn {
  if (raw.kind === 'numbers') return typeNumbers(raw.name, raw.values, rowNumbers);
  if (raw.kind === 'dates') return typeDates(raw.name, raw.values);
  const used = withoutUnused(raw);
  const numbers = valuesOf(used, numberOfText);
  if (numbers !== null) return typeNumbers(raw.name, numbers, rowNumbers);
  return typeBooleans(used) ?? typeDateTexts(used) ?? typeCategories(used);
}

function typeNumbers(name: string, values: Float64Array, rowNumbers: (row: number) => number): TypedColumn {
  const infinite = withoutInfinite(values);
  const { missing, constant } = summary(values);
  const leftOut = constant ?? numberIdentifier(name, values, missing, rowNumbers);
  return { column: { name, kind: 'numeric', values }, missing, infinite, leftOut };
}

function typeDates(name: string, values: Float64Array): TypedColumn {
  const { missing, constant } = summary(values);
  return { column: { name, kind: 'date', values }, missing, infinite: 0, leftOut: constant };
}

function typeDateTexts(raw: RawTexts): TypedColumn | null {
  const values = valuesOf(raw, parseIsoDate);
  return values === null ? null : typeDates(raw.name, values);
}

function typeBooleans({ name, texts, codes }: RawTexts): TypedColumn | null {
  const lower = texts.map((text) => text.toLowerCase());
  const pair = BOOLEAN_TEXTS.find(
    ([no, yes]) => lower.includes(no) && lower.includes(yes) && lower.every((text) => text === no || text === yes),
  );
  if (pair === undefined) return null;
  const truth = lower.map((text) => (text === pair[1] ? 1 : 0));
  const recoded = codes.map((code) => truth[code] ?? -1);
  return {
    column: { name, kind: 'boolean', texts: pair, codes: recoded },
    missing: missingCodes(codes),
    infinite: 0,
    leftOut: null,
  };
}

function typeCategories({ name, texts, codes }: RawTexts): TypedColumn {
  const missing = missingCodes(codes);
  const constant = texts.length === 1 && missing === 0 ? `every cell is "${texts[0]}"` : null;
  const leftOut = constant ?? textIdentifier(texts, codes.length - missing);
  // An identifier is only ever compared with itself; sorting a million of them takes its time.
  const categories = leftOut === null ? [...texts].sort() : texts;
  const placeOf = new Map(categories.map((text, place) => [text, place]));
  const places = texts.map((text) => placeOf.get(text) ?? -1);
  const recoded = codes.map((code) => places[code] ?? -1);
  return { column: { name, kind: 'categorical', categories, codes: recoded }, missing, infinite: 0, leftOut };
}

/** The same column without texts that no row has. */
function withoutUnused(raw: RawTexts): RawTexts {
  const isUsed = new Uint8Array(raw.texts.length);
  for (const code of raw.codes) if (code >= 0) isUsed[code] = 1;
  if (!isUsed.includes(0)) return raw;
  const codeOf = new Int32Array(raw.texts.length);
  let next = 0;
  for (const [code, used] of isUsed.entries()) codeOf[code] = used === 1 ? next++ : -1;
  return {
    ...raw,
    texts: raw.texts.filter((_, code) => isUsed[code] === 1),
    codes: raw.codes.map((code) => codeOf[code] ?? -1),
  };
}

/** Every row's number, NaN where missing; null if there are texts without one. */
function valuesOf({ texts, codes }: RawTexts, parse: (text: string) => number | null): Float64Array | null {
  const parsed = new Float64Array(texts.length);
  for (const [code, text] of texts.entries()) {
    const value = parse(text);
    if (value === null) return null;
    parsed[code] = value;
  }
  return Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : (parsed[code] ?? Number.NaN)));
}

/** Makes infinite values missing, and says how many there were. */
function withoutInfinite(values: Float64Array): number {
  let infinite = 0;
  for (let row = 0; row < values.length; row++) {
    if (Math.abs(values[row] ?? 0) === Number.POSITIVE_INFINITY) {
      values[row] = Number.NaN;
      infinite++;
    }
  }
  return infinite;
}

/** How many values are missing, and why there is nothing to learn from the others, if so. */
function summary(values: Float64Array): { readonly missing: number; readonly constant: string | null } {
  let missing = 0;
  let varies = false;
  const first = values.find((value) => !Number.isNaN(value));
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0;
    if (Number.isNaN(value)) missing++;
    else if (value !== first) varies = true;
  }
  if (first === undefined) return { missing, constant: 'no cell has a value' };
  return { missing, constant: varies || missing > 0 ? null : 'all its values are the same' };
}

function missingCodes(codes: Int32Array): number {
  let missing = 0;
  for (const code of codes) if (code < 0) missing++;
  return missing;
}
