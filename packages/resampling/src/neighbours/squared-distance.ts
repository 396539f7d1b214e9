/**
 * The squared Euclidean distance of two rows, summed in the order of the columns. Stops adding, and returns what it has, as soon as that
 * is above `bound`.
 */
export function squaredDistance(
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
  columns: number,
  bound: number,
): number {
  let sum = 0;
  let column = 0;
  // Four at a time, with one look at the bound.
  for (; column + 3 < columns; column += 4) {
    const i = atA + column;
    const j = atB + column;
    const e0 = (a[i] ?? 0) - (b[j] ?? 0);
    const e1 = (a[i + 1] ?? 0) - (b[j + 1] ?? 0);
    const e2 = (a[i + 2] ?? 0) - (b[j + 2] ?? 0);
    const e3 = (a[i + 3] ?? 0) - (b[j + 3] ?? 0);
    sum = sum + e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3;
    if (sum > bound) return sum;
  }
  for (; column < columns; column++) {
    const difference = (a[atA + column] ?? 0) - (b[atB + column] ?? 0);
    sum += difference * difference;
  }
  return sum;
}
