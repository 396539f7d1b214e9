import type { Metric } from '@evenhand/encoding';
import { float64At } from '../checked-access.js';

/** The ends of a 95 % confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * A metric on the test set, with an interval for the chance in drawing that test set. A metric that is undefined
 * is null, never 0, with the reason; a defined one may still have no interval, with the reason for that.
 */
export type Estimate =
  | { readonly value: number; readonly interval: Interval }
  | { readonly value: number | null; readonly interval: null; readonly reason: string };

const TAIL = 0.025;
/** Leaving out undefined resamples may cost one tail at most. */
const MOST_UNDEFINED = TAIL;

/**
 * The percentile bootstrap: an interval from the 2.5th to the 97.5th percentile of the resampled values.
 *
 * Where all resamples agree, there is no interval. Three of three instances found is not a recall of 1 for certain;
 * resampling them just cannot show it. Of a share of instances, {@link shareEstimate} knows better.
 *
 * @param resampled - the metric of every resample, NaN where it was undefined
 */
export function percentileEstimate(metric: Metric, resampled: readonly number[]): Estimate {
  if (metric.value === null) return { value: null, interval: null, reason: metric.reason };
  const { value } = metric;
  const sorted = Float64Array.from(resampled.filter((draw) => !Number.isNaN(draw))).sort();
  const missing = resampled.length - sorted.length;
  if (missing > MOST_UNDEFINED * resampled.length) {
    return { value, interval: null, reason: `undefined in ${missing} of ${resampled.length} resamples` };
  }
  if (sorted[0] === sorted[sorted.length - 1]) {
    return { value, interval: null, reason: 'the same in every resample: these instances cannot show a spread' };
  }
  return { value, interval: { low: percentile(sorted, TAIL), high: percentile(sorted, 1 - TAIL) } };
}

/**
 * The same for a share of instances. Where all resamples agree, because none or all of the instances are among them, the interval
 * is Wilson's score interval: three of three are 0.44 to 1.
 *
 * @param instances - those that it is a share of
 */
export function shareEstimate(metric: Metric, resampled: readonly number[], instances: number): Estimate {
  const estimate = percentileEstimate(metric, resampled);
  const { value } = estimate;
  if (estimate.interval !== null || value === null || (value !== 0 && value !== 1)) return estimate;
  return { value, interval: wilsonInterval(value * instances, instances) };
}

/** The 97.5th percentile of the standard normal distribution. */
export const NORMAL_QUANTILE = 1.959963984540054;

/** Wilson's score interval of a share of `hits` in `trials` (Wilson 1927): `(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n)`. */
export function wilsonInterval(hits: number, trials: number): Interval {
  const share = hits / trials;
  const extra = NORMAL_QUANTILE ** 2 / trials;
  const centre = (share + extra / 2) / (1 + extra);
  const reach = (NORMAL_QUANTILE * Math.sqrt((share * (1 - share)) / trials + extra / (4 * trials))) / (1 + extra);
  // At the ends centre and reach are equal, or add up to 1, but for rounding, which would leave the share itself outside.
  return { low: hits === 0 ? 0 : centre - reach, high: hits === trials ? 1 : centre + reach };
}

/** By linear interpolation between order statistics, as NumPy and R do unless told otherwise. */
function percentile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = float64At(sorted, Math.floor(position));
  const above = float64At(sorted, Math.ceil(position));
  return below + (position - Math.floor(position)) * (above - below);
}
