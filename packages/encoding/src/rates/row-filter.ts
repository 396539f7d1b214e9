import { at } from '../checked-access.js';
import type { RateFunction } from './rate.js';

/** What is believed of s'[p,p], class by class. */
export interface RowFilterState {
  /** x: the probability that instances of the class have of it, as far as is known. */
  readonly estimate: readonly number[];
  /** P: how uncertain that is, a variance. */
  readonly variance: readonly number[];
  /** d: the last measurement less the estimate before it. */
  readonly difference: readonly number[];
}

/** What was measured in an epoch. */
export interface RowMeasurement {
  /** n_p */
  readonly counts: Float64Array;
  /** s'[p,p]; NaN for classes without instances. */
  readonly own: Float64Array;
  /** Sample variance of the instances' probabilities of their own class; NaN for fewer than two. */
  readonly ownVariance: Float64Array;
}

/** The largest variance of a number between 0 and 1: nothing is known. */
const UNKNOWN = 0.25;

/** One-hot labels, which stand for "nothing is lost", and nothing is known. */
export function initialRowFilter(classes: number): RowFilterState {
  const all = (value: number) => Array.from({ length: classes }, () => value);
  return { estimate: all(1), variance: all(UNKNOWN), difference: all(0) };
}

/**
 * A Kalman filter of s'[p,p] for every class, a random walk that is measured with noise:
 *
 * - R = v/n, the variance of a mean of n instances;
 * - Q = max(0, d·d*), where d is the measurement less the estimate and d* that of the epoch before: two differences in the same direction
 *   are movement, while noise, and what swings back as soon as it was pushed, cancels;
 * - gain `K = V/(V + R)` with `V = P + Q`; then `x + K·d` and `P = (1 − K)·V`.
 *
 * Many instances have a small R and, as long as they move, a gain near 1. A few that disagree have a large one and are averaged over epochs.
 */
export function filterRows(
  state: RowFilterState,
  { counts, own, ownVariance }: RowMeasurement,
): { readonly gains: Float64Array; readonly state: RowFilterState } {
  const gains = new Float64Array(own.length);
  const rows = state.estimate.map((estimate, p) => {
    const before = { estimate, variance: at(state.variance, p), difference: at(state.difference, p) };
    const [count, measured] = [at(counts, p), at(own, p)];
    if (count === 0) return before;
    const noise = varianceOfMean(count, measured, at(ownVariance, p));
    const difference = measured - estimate;
    const variance = before.variance + Math.max(0, difference * before.difference);
    const gain = variance / (variance + noise);
    gains[p] = gain;
    return { estimate: estimate + gain * difference, variance: (1 - gain) * variance, difference };
  });
  return {
    gains,
    state: {
      estimate: rows.map(({ estimate }) => estimate),
      variance: rows.map(({ variance }) => variance),
      difference: rows.map(({ difference }) => difference),
    },
  };
}

/**
 * R: `v/n`, where v has one more instance, as uncertain as a coin that falls as the class does. Five instances that are all right are no
 * proof that every one is, and a single one has no variance of its own.
 */
function varianceOfMean(count: number, own: number, ownVariance: number): number {
  const share = (count * own + 0.5) / (count + 1);
  const deviations = count < 2 ? 0 : (count - 1) * ownVariance;
  return (deviations + share * (1 - share)) / count ** 2;
}

/** μ of each class: how far its measurement is to be believed, the gain of {@link filterRows}. This is what `updatingRate: 'auto'` uses. */
export const noiseGains: RateFunction = ({ gains }) => gains;
