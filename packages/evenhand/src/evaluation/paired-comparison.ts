import type { Metric } from '@evenhand/encoding';
import type { Interval } from './estimate.js';
import { tOfTwoSidedTail, twoSidedTailOfT } from './student-t.js';

/** Two methods over the same seeds, splits or data sets: is one better, or was it luck? */
export interface PairedComparison {
  readonly pairs: number;
  /** Mean of `ours − theirs`. */
  readonly meanDifference: number;
  /** Sample standard deviation of the differences. */
  readonly standardDeviation: Metric;
  /** Two-sided p-value of the paired t-test, which takes the differences for normally distributed; of splits, with its correction. */
  readonly tTest: Metric;
  /** The 95 % interval of the mean difference by that test; null where it has no p-value. */
  readonly interval: Interval | null;
  /**
   * Two-sided p-value of the exact sign-flip test: the share of all 2ⁿ ways to swap the methods within pairs that
   * separate them at least as far. It assumes only that differences are symmetric about 0 if the methods are
   * equal, and cannot fall below 2^(1−n): with five seeds 0.0625. Null for splits, which are not independent of each other.
   */
  readonly signFlipTest: Metric;
}

/** What the pairs are. */
export interface PairedOptions {
  /**
   * For pairs that are random splits of the same data: the number of test instances per instance that is not tested. Such splits
   * share most of their instances, and their differences vary less than those of new data would. The corrected resampled t-test
   * (Nadeau and Bengio 2003) takes the variance of the mean of J differences for `(1/J + n_test/n_training)·s²` instead of `s²/J`.
   *
   * @defaultValue 0: the pairs are independent
   */
  readonly testPerTraining?: number;
}

/** What a 95 % interval leaves outside. */
const OUTSIDE = 0.05;

const MOST_FLIPPED_PAIRS = 20;

/** What rounding may leave of a difference of 0, as a share of the values. */
const ROUNDING = 1e-12;

/**
 * Compares results that belong together pair by pair.
 *
 * @param ours - one result per seed, or per split
 * @param theirs - the other method's, for the same seeds or splits in the same order
 */
export function comparePaired(
  ours: readonly number[],
  theirs: readonly number[],
  { testPerTraining = 0 }: PairedOptions = {},
): PairedComparison {
  const differences = pairDifferences(ours, theirs);
  const pairs = differences.length;
  const rounding = ROUNDING * Math.max(...ours.map(Math.abs), ...theirs.map(Math.abs));
  const meanDifference = meanOf(differences, rounding);
  const standardDeviation = sampleDeviation(differences, meanDifference, rounding);
  return {
    pairs,
    meanDifference,
    standardDeviation,
    ...tTest(meanDifference, standardDeviation, pairs, testPerTraining),
    signFlipTest: testPerTraining > 0 ? OVERLAPPING : signFlipTest(differences),
  };
}

function pairDifferences(ours: readonly number[], theirs: readonly number[]): number[] {
  if (ours.length !== theirs.length || ours.length === 0) {
    throw new RangeError(
      `ours has ${ours.length} results, theirs ${theirs.length}; expected as many of each, at least one`,
    );
  }
  return ours.map((value, i) => {
    const difference = value - (theirs[i] ?? Number.NaN);
    if (!Number.isFinite(difference)) {
      throw new RangeError(`pair ${i} is ${value} and ${theirs[i]}; expected finite numbers`);
    }
    return difference;
  });
}

/** Results that are level on paper are so here. */
function meanOf(differences: readonly number[], rounding: number): number {
  const mean = differences.reduce((a, b) => a + b, 0) / differences.length;
  return Math.abs(mean) <= rounding ? 0 : mean;
}

function sampleDeviation(differences: readonly number[], mean: number, rounding: number): Metric {
  if (differences.length < 2) return { value: null, reason: 'one pair has no spread' };
  if (differences.every((difference) => Math.abs(difference - mean) <= rounding)) return { value: 0 };
  const squares = differences.reduce((sum, difference) => sum + (difference - mean) ** 2, 0);
  return { value: Math.sqrt(squares / (differences.length - 1)) };
}

function tTest(
  mean: number,
  deviation: Metric,
  pairs: number,
  testPerTraining: number,
): Pick<PairedComparison, 'tTest' | 'interval'> {
  if (deviation.value === null) return { tTest: deviation, interval: null };
  if (deviation.value === 0) {
    const reason = 'all differences are equal: there is no spread to compare with';
    return { tTest: { value: null, reason }, interval: null };
  }
  const standardError = deviation.value * Math.sqrt(1 / pairs + testPerTraining);
  const reach = tOfTwoSidedTail(OUTSIDE, pairs - 1) * standardError;
  return {
    tTest: { value: twoSidedTailOfT(mean / standardError, pairs - 1) },
    interval: { low: mean - reach, high: mean + reach },
  };
}

const OVERLAPPING: Metric = {
  value: null,
  reason: 'splits of the same data overlap; the sign-flip test takes pairs for independent',
};

function signFlipTest(differences: readonly number[]): Metric {
  if (differences.length > MOST_FLIPPED_PAIRS) {
    const reason = `more than ${MOST_FLIPPED_PAIRS} pairs can be swapped in too many ways to try all`;
    return { value: null, reason };
  }
  const observed = Math.abs(differences.reduce((a, b) => a + b, 0));
  // Sums that are equal on paper must count as equal here.
  const tolerance = ROUNDING * differences.reduce((sum, difference) => sum + Math.abs(difference), 0);
  const countFrom = (i: number, sum: number): number => {
    const difference = differences[i];
    if (difference === undefined) return Math.abs(sum) >= observed - tolerance ? 1 : 0;
    return countFrom(i + 1, sum + difference) + countFrom(i + 1, sum - difference);
  };
  return { value: countFrom(0, 0) / 2 ** differences.length };
}
