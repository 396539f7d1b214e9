import { at, float64At, int32At } from '../checked-access.js';

/** Points of a curve that are drawn: more are not to be seen, and make a page heavy. */
const MOST_POINTS = 400;

/** Answers with the positive class for all instances whose score is at least so high. */
export interface Cut {
  readonly score: number;
  /** Share of the positive instances that are answered so: recall, the true positive rate. */
  readonly truePositiveRate: number;
  /** Share of the others that are answered so. */
  readonly falsePositiveRate: number;
  readonly precision: number;
}

/**
 * What every cut of the scores comes to, from the highest score to the lowest; equal scores are on one side of a cut.
 *
 * @param scores - of the positive class, one for each label
 */
export function cutsOf(labels: Int32Array, scores: Float64Array, positive: number): Cut[] {
  const order = Array.from(labels.keys()).sort((a, b) => float64At(scores, b) - float64At(scores, a));
  const positives = labels.reduce((sum, label) => sum + (label === positive ? 1 : 0), 0);
  const cuts: Cut[] = [];
  let found = 0;
  for (const [i, instance] of order.entries()) {
    if (int32At(labels, instance) === positive) found++;
    const score = float64At(scores, instance);
    const next = order[i + 1];
    if (next !== undefined && float64At(scores, next) === score) continue;
    cuts.push({
      score,
      truePositiveRate: found / positives,
      falsePositiveRate: (i + 1 - found) / (labels.length - positives),
      precision: found / (i + 1),
    });
  }
  return cuts;
}

/** The corners of a curve; only some of many, evenly spaced. The first and the last are among them. */
export function cornersOf(all: readonly Cut[]): readonly Cut[] {
  const cuts = all.filter(({ truePositiveRate }, i) => {
    const [before, after] = [all[i - 1], all[i + 1]];
    return truePositiveRate !== before?.truePositiveRate || truePositiveRate !== after?.truePositiveRate;
  });
  if (cuts.length <= MOST_POINTS) return cuts;
  return Array.from({ length: MOST_POINTS }, (_, k) =>
    at(cuts, Math.round((k * (cuts.length - 1)) / (MOST_POINTS - 1))),
  );
}

/** How the instances of a class spread over scores from 0 to 1: the share in each of so many bins. */
export function scoreShares(scores: readonly number[], bins: number): number[] {
  const shares = new Array<number>(bins).fill(0);
  for (const score of scores) {
    const bin = Math.min(bins - 1, Math.floor(score * bins));
    shares[bin] = at(shares, bin) + 1 / scores.length;
  }
  return shares;
}
