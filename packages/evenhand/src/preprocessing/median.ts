import { float64At } from '../checked-access.js';

/** The value in the middle, or between the two in the middle; 0 of none. Moves the values about. */
export function median(values: Float64Array): number {
  if (values.length === 0) return 0;
  const middle = values.length >> 1;
  const upper = select(values, middle);
  if (values.length % 2 === 1) return upper;
  // What is selected stands between those that are not larger and those that are not smaller.
  let lower = Number.NEGATIVE_INFINITY;
  for (const value of values.subarray(0, middle)) lower = Math.max(lower, value);
  return lower + (upper - lower) / 2;
}

/** The value that would be at `index` if they were in order (Hoare's quickselect): a sort takes ten times longer. */
function select(values: Float64Array, index: number): number {
  let [left, right] = [0, values.length - 1];
  while (left < right) {
    const pivot = float64At(values, (left + right) >> 1);
    let [i, j] = [left, right];
    while (i <= j) {
      while (float64At(values, i) < pivot) i++;
      while (float64At(values, j) > pivot) j--;
      if (i <= j) {
        const value = float64At(values, i);
        values[i++] = float64At(values, j);
        values[j--] = value;
      }
    }
    // Now [left…j] ≤ pivot ≤ [i…right], and what is between equals the pivot.
    if (index <= j) right = j;
    else if (index >= i) left = i;
    else return pivot;
  }
  return float64At(values, index);
}
