import { outside } from '../checked-access.js';

/** A column of categories as indices 0, 1, 2, … in ascending order of the numbers that stand for them. */
export interface CategoryColumn {
  readonly codes: Int32Array;
  readonly categories: number;
}

/** Reads the categories of a column. */
export function codeColumn(features: Float64Array, columns: number, column: number): CategoryColumn {
  const rows = features.length / columns;
  const values = Float64Array.from(
    { length: rows },
    (_, row) => features[row * columns + column] ?? outside(features, row),
  );
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  const codeOf = new Map(sorted.map((value, code) => [value, code]));
  return { codes: Int32Array.from(values, (value) => codeOf.get(value) ?? 0), categories: sorted.length };
}

/**
 * The most frequent categories among some rows: for each that is as frequent as any, the first of the rows that has it, in ascending order of
 * the categories.
 *
 * @param tallies - room for as many numbers as the column has categories, all 0, and again 0 afterwards
 */
export function mostFrequentDonors({ codes }: CategoryColumn, rows: Int32Array, tallies: Int32Array): Int32Array {
  let most = 0;
  for (const row of rows) {
    const code = codes[row] ?? 0;
    const tally = (tallies[code] ?? 0) + 1;
    tallies[code] = tally;
    if (tally > most) most = tally;
  }
  const donors = rows.filter((row, i) => {
    const code = codes[row] ?? 0;
    return tallies[code] === most && rows.findIndex((other) => codes[other] === code) === i;
  });
  for (const row of rows) tallies[codes[row] ?? 0] = 0;
  return donors.sort((a, b) => (codes[a] ?? 0) - (codes[b] ?? 0));
}
