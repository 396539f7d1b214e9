import { atKey, float64At } from '../checked-access.js';
import type { Column } from '../dataset/column.js';
import { numberOfText, shortened } from './cell-text.js';
import { missingCodes, recoded } from './codes.js';
import type { DecimalMark } from './decimal-mark.js';
import { numberIdentifier, textIdentifier } from './identifiers.js';
import {
  commaExample,
  LEAST_TEXTS,
  type ParsedTexts,
  parseDates,
  parseNumbers,
  type Tolerance,
} from './parsed-texts.js';
import { asTexts, type RawColumn, type RawTexts } from './raw-table.js';

/** What a user may say of a column. Nothing is learned from `text`. */
export const GIVEN_TYPES = ['numeric', 'categorical', 'date', 'text'] as const;
export type GivenType = (typeof GIVEN_TYPES)[number];

/** What is known of a column before a look at its cells. */
export interface ColumnHints {
  /** Which row of the file each row is, from 0. */
  readonly rowNumbers: (row: number) => number;
  /** How numbers may be written, the likeliest way first. */
  readonly decimalMarks: readonly DecimalMark[];
  /** What the user says that it is; its cells decide unless given. */
  readonly type?: GivenType | undefined;
}

/** A column with its meaning, and what there is to say about it. */
export interface TypedColumn {
  readonly column: Column;
  /** Cells without a value, the infinite ones and those that are no numbers or dates among them. */
  readonly missing: number;
  readonly infinite: number;
  /** Why nothing can be learned from it, if so. */
  readonly leftOut: string | null;
  /** What else a person should know: `is …`. */
  readonly remark?: string;
  /** Cells that are no numbers or dates in a column of such, if there are any. */
  readonly invalid?: Omit<ParsedTexts, 'values'>;
  /** One of its numbers that means something else with decimal commas, as the file has it. */
  readonly commaExample?: string;
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
 * of a known pair, dates if every text is one; numbers or dates still if all but a few are; else categorical.
 */
export function typeColumn(raw: RawColumn, hints: ColumnHints): TypedColumn {
  if (hints.type !== undefined) return typeAsGiven(raw, hints.type, hints);
  if (raw.kind === 'numbers') return typeNumbers(raw.name, raw.values, hints);
  if (raw.kind === 'dates') return typeDates(raw.name, raw.values);
  const used = withoutUnused(raw);
  return (
    typeNumberTexts(used, hints, 'none') ??
    typeBooleans(used) ??
    typeDateTexts(used, 'none') ??
    typeNumberTexts(used, hints, 'few') ??
    typeDateTexts(used, 'few') ??
    typeTexts(used)
  );
}

/** Whoever names a type knows whether a column is an identifier. */
function typeAsGiven(raw: RawColumn, type: GivenType, hints: ColumnHints): TypedColumn {
  if (type === 'numeric' && raw.kind !== 'texts') return typeNumbers(raw.name, raw.values, hints);
  if (type === 'date' && raw.kind === 'dates') return typeDates(raw.name, raw.values);
  const texts = withoutUnused(asTexts(raw));
  const asGiven = {
    numeric: () => typeNumberTexts(texts, hints, 'any'),
    date: () => typeDateTexts(texts, 'any'),
    categorical: () => typeCategories(texts),
    text: () => typeCategories(texts, () => 'it is text, by its given type'),
  }[type]();
  if (asGiven === null) throw new Error(`internal: no tolerance is large enough for the column ${raw.name}`);
  return asGiven;
}

function typeNumbers(name: string, values: Float64Array, hints: ColumnHints, invalidCells = 0): TypedColumn {
  const { missing, infinite, constant, isCoarse } = withoutInfinite(values);
  const identifier =
    hints.type === undefined ? numberIdentifier(name, values, missing - invalidCells, hints.rowNumbers) : null;
  const typed = {
    column: { name, kind: 'numeric', values },
    missing,
    infinite,
    leftOut: constant ?? identifier,
  } as const;
  return isCoarse ? { ...typed, remark: COARSE } : typed;
}

/** A model's inputs are float32. */
const COARSE =
  'has numbers that are large and close together, which a model tells apart only roughly; subtract a constant from them';

function typeNumberTexts(raw: RawTexts, hints: ColumnHints, tolerance: Tolerance): TypedColumn | null {
  const parsed = parseNumbers(raw, hints.decimalMarks, tolerance);
  if (parsed === null) return null;
  const typed = typeNumbers(raw.name, parsed.values, hints, parsed.invalidCells);
  const example = parsed.decimalMark === ',' ? commaExample(raw.texts) : undefined;
  return { ...typed, ...invalidOf(parsed), ...(example === undefined ? {} : { commaExample: example }) };
}

function invalidOf({ invalidCells, invalidTexts }: ParsedTexts): Pick<TypedColumn, 'invalid'> {
  return invalidCells === 0 ? {} : { invalid: { invalidCells, invalidTexts } };
}

function typeDates(name: string, values: Float64Array): TypedColumn {
  const { missing, infinite, constant } = withoutInfinite(values);
  return { column: { name, kind: 'date', values }, missing, infinite, leftOut: constant };
}

function typeDateTexts(raw: RawTexts, tolerance: Tolerance): TypedColumn | null {
  const parsed = parseDates(raw, tolerance);
  return parsed === null ? null : { ...typeDates(raw.name, parsed.values), ...invalidOf(parsed) };
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

/** @param useless - why there is nothing to learn from these texts, of so many cells; null if there is */
function typeCategories(
  { name, texts, codes }: RawTexts,
  useless: (texts: readonly string[], cells: number) => string | null = () => null,
): TypedColumn {
  const missing = missingCodes(codes);
  const constant = texts.length === 1 && missing === 0 ? `every cell is "${texts[0]}"` : null;
  const leftOut = constant ?? useless(texts, codes.length - missing);
  // An identifier is only ever compared with itself; sorting a million of them takes its time.
  const categories = leftOut === null ? [...texts].sort() : texts;
  const newCodes = new Map(categories.map((text, code) => [text, code]));
  const codeOf = Int32Array.from(texts, (text) => atKey(newCodes, text));
  const column = { name, kind: 'categorical', categories, codes: recoded(codes, codeOf) } as const;
  return { column, missing, infinite: 0, leftOut };
}

function typeTexts(raw: RawTexts): TypedColumn {
  const remark = almostNumbers(raw.texts);
  return { ...typeCategories(raw, textIdentifier), ...(remark === undefined ? {} : { remark }) };
}

/** What to say of categories that were meant as numbers. */
function almostNumbers(texts: readonly string[]): string | undefined {
  if (texts.length < LEAST_TEXTS) return undefined;
  const others = texts.filter((text) => numberOfText(text) === null);
  const [first] = others;
  if (first === undefined) return undefined;
  if (others.length <= texts.length / 10) {
    return `is read as texts: "${shortened(first, 40)}" is no number; as numeric, such cells would be missing`;
  }
  if (texts.some((text) => numberOfText(text.replace(',', '.')) === null)) return undefined;
  return `is read as texts: "${first}" is no number; write ${first.replace(',', '.')}, or without marks between thousands`;
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
