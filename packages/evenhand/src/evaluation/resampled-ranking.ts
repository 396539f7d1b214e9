import type { Values } from '@evenhand/encoding';
import type { Random } from '@evenhand/engine';
import { at, float64At, outside, uint32At } from '../checked-access.js';

/** Area under the ROC curve and average precision of one resample; NaN where undefined. */
export interface RankingDraw {
  readonly rocAuc: number;
  readonly averagePrecision: number;
}

/**
 * A stratified bootstrap of a binary classifier's ranking: every call draws the instances of both classes again, with
 * replacement. The scores are sorted once; a resample is then a weight for every distinct score and one walk over them.
 *
 * @param probabilities - `[instances, 2]`
 * @param positive - the class that should score high
 */
export function rankingResampler(
  labels: Int32Array,
  probabilities: Values,
  positive: number,
  random: Random,
): () => RankingDraw {
  const scores = Float64Array.from(labels, (_, i) => at(probabilities, 2 * i + positive));
  const distinct = Float64Array.from(new Set(scores)).sort().reverse();
  // Sorted, so that the order in which instances come does not decide what is drawn.
  const ranks = (own: boolean) => {
    let rank = distinct.length - 1;
    return Int32Array.from(scores.filter((_, i) => (labels[i] === positive) === own).sort(), (score) => {
      while (float64At(distinct, rank) < score) rank--;
      return rank;
    });
  };
  const positives = ranks(true);
  const negatives = ranks(false);
  const positiveWeights = new Uint32Array(distinct.length);
  const negativeWeights = new Uint32Array(distinct.length);
  return () => {
    drawWeights(positives, positiveWeights, random);
    drawWeights(negatives, negativeWeights, random);
    return weightedRanking(positiveWeights, negativeWeights);
  };
}

/** Draws as many ranks as there are, with replacement, and counts how often each came. */
function drawWeights(ranks: Int32Array, weights: Uint32Array, random: Random): void {
  weights.fill(0);
  for (let i = 0; i < ranks.length; i++) {
    const drawn = Math.floor(random() * ranks.length);
    const rank = ranks[drawn];
    if (rank === undefined) throw outside(ranks, drawn);
    const weight = weights[rank];
    if (weight === undefined) throw outside(weights, rank);
    weights[rank] = weight + 1;
  }
}

/**
 * Ranking metrics of weighted instances, the weights given for every distinct score from the highest down: the share of
 * (positive, negative) pairs in the right order, ties half, and the step-wise area under the precision-recall curve.
 */
export function weightedRanking(positiveWeights: Uint32Array, negativeWeights: Uint32Array): RankingDraw {
  let truePositives = 0;
  let falsePositives = 0;
  let wrongPairs = 0;
  let precisions = 0;
  for (let rank = 0; rank < positiveWeights.length; rank++) {
    const found = uint32At(positiveWeights, rank);
    const mistaken = uint32At(negativeWeights, rank);
    wrongPairs += found * (falsePositives + mistaken / 2);
    truePositives += found;
    falsePositives += mistaken;
    if (found > 0) precisions += (found * truePositives) / (truePositives + falsePositives);
  }
  return {
    rocAuc: 1 - wrongPairs / (truePositives * falsePositives),
    averagePrecision: precisions / truePositives,
  };
}
