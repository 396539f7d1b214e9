/** The value in the middle, or between the two in the middle; 0 of none. Moves the values about. */
export function median(values: Float64Array): number {
  const middle = values.length >> 1;
  const upper = select(values, middle);
  if (values.length % 2 === 1 || values.length === 0) return upper;
  // What is selected stands between those that are not larger and those that are not smaller.
  let lower = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < middle; i++) lower = Math.max(lower, values[i] ?? lower);
  return lower + (upper - lower) / 2;
}

/** The value that would be at `place` if they were in order (Hoare's quickselect): a sort takes ten times longer. */
function select(values: Float64Array, place: number): number {
  let [left, right] = [0, values.length - 1];
  while (left < right) {
    const pivot = values[(left + right) >> 1] ?? 0;
    let [i, j] = [left, right];
    while (i <= j) {
      while ((values[i] ?? pivot) < pivot) i++;
      while ((values[j] ?? pivot) > pivot) j--;
      if (i <= j) {
        const value = values[i] ?? 0;
        values[i++] = values[j] ?? 0;
        values[j--] = value;
      }
    }
    // Now [left…j] ≤ pivot ≤ [i…right], and what is between equals the pivot.
    if (place <= j) right = j;
    else if (place >= i) left = i;
    else return pivot;
  }
  return values[place] ?? 0;
}
