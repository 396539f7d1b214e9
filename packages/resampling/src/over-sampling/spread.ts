import { outside } from '../checked-access.js';

/** The standard deviation of every column over some rows, with divisor n. */
export function standardDeviations(
  { features, columns }: { readonly features: Float64Array; readonly columns: number },
  rows: Int32Array,
): Float64Array {
  return new Float64Array(columns).map((_, column) => {
    const values = Float64Array.from(rows, (row) => features[row * columns + column] ?? outside(features, row));
    // Measured from the first value, so that equal ones have a deviation of exactly 0.
    const first = values[0] ?? 0;
    const mean = first + values.reduce((sum, value) => sum + (value - first), 0) / values.length;
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  });
}

/** The middle one of some numbers, or the mean of the middle two. */
export function medianOf(numbers: Float64Array): number {
  const sorted = numbers.slice().sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}
