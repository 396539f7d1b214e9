import { at, atKey, float64At } from '../checked-access.js';
import type { Column } from '../dataset/column.js';
import { numberOfText, shortened } from './cell-text.js';
import { missingCodes, recoded } from './codes.js';
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
  /** What else a person should know: `is …`. */
  readonly remark?: string;
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
 * @param rowNumbers - which row of the file each row is, from 0
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
  const { missing, infinite, constant, isCoarse } = withoutInfinite(values);
  const leftOut = constant ?? numberIdentifier(name, values, missing, rowNumbers);
  const typed = { column: { name, kind: 'numeric', values }, missing, infinite, leftOut } as const;
  return isCoarse ? { ...typed, remark: COARSE } : typed;
}

/** A model's inputs are float32. */
const COARSE =
  'has numbers that are large and close together, which a model tells apart only roughly; subtract a constant from them';

function typeDates(name: string, values: Float64Array): TypedColumn {
  const { missing, infinite, constant } = withoutInfinite(values);
  return { column: { name, kind: 'date', values }, missing, infinite, leftOut: constant };
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
  const truth = Int32Array.from(lower, (text) => (text === pair[1] ? 1 : 0));
  return {
    column: { name, kind: 'boolean', texts: pair, codes: recoded(codes, truth) },
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
  const newCodes = new Map(categories.map((text, code) => [text, code]));
  const codeOf = Int32Array.from(texts, (text) => atKey(newCodes, text));
  const column = { name, kind: 'categorical', categories, codes: recoded(codes, codeOf) } as const;
  const remark = almostNumbers(texts);
  return { column, missing, infinite: 0, leftOut, ...(remark === undefined ? {} : { remark }) };
}

/** Fewer different texts than this may be categories of any kind. */
const LEAST_NUMBERS = 10;

/** What to say of categories that were meant as numbers. */
function almostNumbers(texts: readonly string[]): string | undefined {
  if (texts.length < LEAST_NUMBERS) return undefined;
  const others = texts.filter((text) => numberOfText(text) === null);
  const first = at(others, 0);
  if (others.length <= texts.length / 10) return `is read as categories: "${shortened(first, 40)}" is no number`;
  if (texts.some((text) => numberOfText(text.replace(',', '.')) === null)) return undefined;
  return `is read as categories: "${first}" is no number; write ${first.replace(',', '.')}, or without marks between thousands`;
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
    codes: recoded(raw.codes, codeOf),
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
  return Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : float64At(parsed, code)));
}

/** What there is to say about numbers. */
interface NumberSummary {
  /** The infinite ones among them. */
  readonly missing: number;
  readonly infinite: number;
  /** Why there is nothing to learn from the others, if so. */
  readonly constant: string | null;
  /** Whether float32 has fewer than some hundred numbers between the lowest and the highest. */
  readonly isCoarse: boolean;
}

/** Makes infinite values missing, and looks at all of them on the way. */
function withoutInfinite(values: Float64Array): NumberSummary {
  let missing = 0;
  let infinite = 0;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < values.length; row++) {
    const value = float64At(values, row);
    if (!Number.isFinite(value)) {
      missing++;
      if (!Number.isNaN(value)) infinite++;
      values[row] = Number.NaN;
      continue;
    }
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  if (missing === values.length) return { missing, infinite, constant: 'no cell has a value', isCoarse: false };
  const varies = lowest < highest;
  const isCoarse = varies && (highest - lowest) / 256 < Math.max(-lowest, highest) * 2 ** -23;
  return { missing, infinite, constant: varies || missing > 0 ? null : 'all its values are the same', isCoarse };
}
