import { at, float32At } from '../checked-access.js';
import type { TablePreprocessing } from './preprocessing.js';
import { columnPositions, tableFeatures } from './table-features.js';

/**
 * What trees are given of the input that networks take: numbers that may be missing first, then all other numbers, then codes of categories.
 * Trees learn where missing values belong, so that what was filled in is missing again, and no feature has to say so.
 */
export interface TreeFeatures {
  /** Numbers that may be missing: where they are in the network's input, and where it says that one is. */
  readonly flagged: readonly { readonly number: number; readonly flag: number }[];
  /** Other numbers, and codes, by where they are in the network's input. */
  readonly others: readonly number[];
  /** Which of the trees' columns are categories. */
  readonly categorical: readonly number[];
  /** Features of the network's input. */
  readonly inputs: number;
  /** The column of the table that each of the trees' columns is of. */
  readonly tableColumns: readonly number[];
}

export function treeFeatures(preprocessing: TablePreprocessing): TreeFeatures {
  const { numbers, flags, categories } = tableFeatures(preprocessing);
  const flagged = flags.map((number, i) => ({ number, flag: numbers.length + i }));
  const isFlagged = new Set(flags);
  const plain = numbers.map((_, i) => i).filter((i) => !isFlagged.has(i));
  const codes = categories.map((_, i) => numbers.length + flags.length + i);
  const columnOf = new Map(columnPositions(preprocessing).flatMap((own, column) => own.map((i) => [i, column])));
  const others = [...plain, ...codes];
  return {
    flagged,
    others,
    categorical: codes.map((_, i) => flagged.length + plain.length + i),
    inputs: numbers.length + flags.length + categories.length,
    tableColumns: [...flagged.map(({ number }) => number), ...others].map((i) => columnOf.get(i) ?? -1),
  };
}

/** `[rows, columns]` of trees from `[rows, features]` of networks. The exported model computes the same inside. */
export function treeValues({ flagged, others, inputs }: TreeFeatures, rows: Float32Array): Float32Array<ArrayBuffer> {
  const width = flagged.length + others.length;
  const count = rows.length / inputs;
  const values = new Float32Array(count * width);
  for (let row = 0; row < count; row++) {
    const [from, to] = [row * inputs, row * width];
    for (let i = 0; i < flagged.length; i++) {
      const { number, flag } = at(flagged, i);
      values[to + i] = float32At(rows, from + flag) === 1 ? Number.NaN : float32At(rows, from + number);
    }
    for (let i = 0; i < others.length; i++) {
      values[to + flagged.length + i] = float32At(rows, from + at(others, i));
    }
  }
  return values;
}
