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
  for (let column = 0; column < columns; column++) {
    const difference = (a[atA + column] ?? 0) - (b[atB + column] ?? 0);
    sum += difference * difference;
    if (sum > bound) return sum;
  }
  return sum;
}
