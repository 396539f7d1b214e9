import { at, float32At } from '../../checked-access.js';

/** Rows that a permutation has changed; the others are answered as before. */
export interface PermutedRows {
  /** Of each its index among the measured rows; a row may be there once for every permutation. */
  readonly rows: Int32Array;
  /** Which of the permutations it is from. */
  readonly permutations: Int32Array;
  /** `[rows, features]` */
  readonly inputs: Float32Array<ArrayBuffer>;
}

/**
 * Rows with a column's values from other rows, all features of the column together: a value that is missing is missing there, too.
 *
 * @param own - the rows as they are, `[rows, features]`
 * @param donated - for each permutation, the row that each of them takes the column's values from
 * @param positions - of the column's features
 */
export function permutedRows(
  own: Float32Array,
  donated: readonly Float32Array[],
  features: number,
  positions: readonly number[],
): PermutedRows {
  const changed = donated.flatMap((donors, permutation) => {
    const isChanged = (row: number) =>
      positions.some((position) => own[row * features + position] !== donors[row * features + position]);
    const rows = Array.from({ length: own.length / features }, (_, row) => row).filter(isChanged);
    return rows.map((row) => ({ row, permutation }));
  });
  const inputs = new Float32Array(changed.length * features);
  for (const [i, { row, permutation }] of changed.entries()) {
    inputs.set(own.subarray(row * features, (row + 1) * features), i * features);
    const donors = at(donated, permutation);
    for (const position of positions) inputs[i * features + position] = float32At(donors, row * features + position);
  }
  return {
    rows: Int32Array.from(changed, ({ row }) => row),
    permutations: Int32Array.from(changed, ({ permutation }) => permutation),
    inputs,
  };
}
