/** Scores become probabilities, in place. */
export function softmax(values: Float64Array): void {
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < values.length; k++) largest = Math.max(largest, values[k] ?? 0);
  let sum = 0;
  for (let k = 0; k < values.length; k++) {
    const power = Math.exp((values[k] ?? 0) - largest);
    values[k] = power;
    sum += power;
  }
  for (let k = 0; k < values.length; k++) values[k] = (values[k] ?? 0) / sum;
}
