import type { Metric } from '@evenhand/encoding';
import { sampleStatistics } from 'evenhand/evaluation';
import { NONE } from 'evenhand/report';

/** A number of per cent with two decimals, as in the paper. What rounds to 0 has no sign. */
export function points(value: number): string {
  return value
    .toFixed(2)
    .replace(/^-(?!0\.00$)/, '−')
    .replace('-', '');
}

/** The same with its sign. */
export function signed(value: number): string {
  const size = points(Math.abs(value));
  return size === '0.00' ? size : `${value < 0 ? '−' : '+'}${size}`;
}

/** `91.43 ± 0.27`, or the mean alone where there is no deviation. */
export function meanAndDeviation({ mean, deviation }: { mean: number; deviation: number | null }): string {
  return deviation === null ? points(mean) : `${points(mean)} ± ${points(deviation)}`;
}

/** Mean and sample standard deviation of shares, in per cent. */
export function spreadInPercent(shares: readonly number[]): string {
  return meanAndDeviation(sampleStatistics(shares.map((share) => 100 * share)));
}

/** A p-value. */
export function probability({ value }: Metric): string {
  if (value === null) return NONE;
  return value < 0.001 ? '< 0.001' : value.toFixed(3);
}
