import type { Metric } from '@evenhand/encoding';
import { float64At } from '../checked-access.js';

/** The ends of a 95 % confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * A metric on the test set, with how far chance in drawing that test set could have moved it. A metric that is undefined
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
 * resampling them just cannot show it.
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

/** By linear interpolation between order statistics, as NumPy and R do unless told otherwise. */
function percentile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = float64At(sorted, Math.floor(position));
  const above = float64At(sorted, Math.ceil(position));
  return below + (position - Math.floor(position)) * (above - below);
}
