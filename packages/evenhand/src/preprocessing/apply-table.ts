import { at, float64At, int32At } from '../checked-access.js';
import type { Column } from '../dataset/column.js';
import { matchColumns } from './match-columns.js';
import type { TablePreprocessing } from './preprocessing.js';
import { isMissing, readRawNumbers } from './raw-numbers.js';
import { type CategoryRule, LIMIT, type NumberRule, tableFeatures } from './table-features.js';

/** Rows that are worked on at a time, so that what is written feature by feature stays in the processor's cache. */
const BLOCK = 1024;

/** The input of some rows. */
interface Block {
  readonly rows: Int32Array;
  /** `[rows, width]`, and what is behind it. */
  readonly input: Float32Array;
  readonly width: number;
}

/** Writes what a rule makes of its column. */
type Writer = (block: Block) => void;

/**
 * The network's input, `[rows, features]`, of some rows of a table. The exported model computes the same inside.
 *
 * @param columns - at least those of the preprocessing, in any order
 * @param rows - which rows of the columns
 */
export function applyTablePreprocessing(
  preprocessing: TablePreprocessing,
  columns: readonly Column[],
  rows: Int32Array,
): Float32Array<ArrayBuffer> {
  const types = preprocessing.columns.map(({ type }) => type);
  const matched = matchColumns(types, columns);
  const { numbers, flags, categories } = tableFeatures(preprocessing);
  const codesFrom = numbers.length + flags.length;
  const writers: Writer[] = [
    ...numbers.map(({ column, rule }, feature) => {
      const flag = rule.flagged ? numbers.length + flags.indexOf(feature) : null;
      return numberWriter(at(matched, column), rule, feature, flag);
    }),
    ...categories.map(({ column, rule }, i) => codeWriter(at(matched, column), rule, codesFrom + i)),
  ];
  const width = codesFrom + categories.length;
  const input = new Float32Array(rows.length * width);
  for (let from = 0; from < rows.length; from += BLOCK) {
    const block = { rows: rows.subarray(from, from + BLOCK), input: input.subarray(from * width), width };
    for (const write of writers) write(block);
  }
  return input;
}

function numberWriter(column: Column, rule: NumberRule, feature: number, flag: number | null): Writer {
  const { part, mean, std, fill } = rule;
  const raw = new Float64Array(BLOCK);
  return ({ rows, input, width }) => {
    readRawNumbers(column, part, rows, raw);
    for (let i = 0, to = feature; i < rows.length; i++, to += width) {
      const value = float64At(raw, i);
      const standardised = ((isMissing(value) ? fill : value) - mean) / std;
      input[to] = Math.min(LIMIT, Math.max(-LIMIT, standardised));
    }
    if (flag === null) return;
    for (let i = 0, to = flag; i < rows.length; i++, to += width) input[to] = isMissing(float64At(raw, i)) ? 1 : 0;
  };
}

function codeWriter(column: Column, { categories }: CategoryRule, feature: number): Writer {
  if (column.kind !== 'categorical') throw new Error(`internal: "${column.name}" has a rule for categories`);
  // The column may have another list of categories than the one that training saw.
  const known = new Map(categories.map((text, i) => [text, i + 1]));
  const codeOf = Int32Array.from(column.categories, (text) => known.get(text) ?? 0);
  const { codes } = column;
  return ({ rows, input, width }) => {
    for (let i = 0, to = feature; i < rows.length; i++, to += width) {
      const code = int32At(codes, int32At(rows, i));
      input[to] = code < 0 ? 0 : int32At(codeOf, code);
    }
  };
}
