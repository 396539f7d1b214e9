/** Mean and sample standard deviation; the second is null for one value. */
export function sampleStatistics(values: readonly number[]): {
  readonly mean: number;
  readonly deviation: number | null;
} {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: values.length < 2 ? null : Math.sqrt(squares / (values.length - 1)) };
}
