import type { NumberLabels, Values } from '../arrays.js';
import { outside } from '../checked-access.js';
import { type Metric, metric, undefinedMetric } from './metric.js';

/** How well the scores of one class rank its own instances before all others. */
export interface RankingMetrics {
  /** Area under the ROC curve, one class against the rest: the share of (own, other) pairs in the right order, ties half. */
  readonly rocAuc: Metric;
  /** Average precision: the step-wise area under the precision-recall curve. */
  readonly averagePrecision: Metric;
}

/** Ranking metrics of class `own`, whose name is used in reasons. */
export function rankingMetrics(
  labels: NumberLabels,
  scores: Values,
  classes: number,
  own: number,
  name: string,
): RankingMetrics {
  const column = (isOwn: boolean) => {
    const values: number[] = [];
    for (let i = 0; i < labels.length; i++) {
      const cell = i * classes + own;
      if ((labels[i] === own) === isOwn) values.push(scores[cell] ?? outside(scores, cell));
    }
    return Float64Array.from(values).sort().reverse();
  };
  const positives = column(true);
  const negatives = column(false);
  if (positives.length === 0) {
    const absent = undefinedMetric(`class ${name} has no instance`);
    return { rocAuc: absent, averagePrecision: absent };
  }

  // Walk down the distinct scores; at each, everything scored at least as high counts as found.
  let truePositives = 0;
  let falsePositives = 0;
  let orderedPairs = 0;
  let precisions = 0;
  while (truePositives < positives.length) {
    const threshold = positives[truePositives] ?? outside(positives, truePositives);
    let ties = 0;
    while (
      falsePositives < negatives.length &&
      (negatives[falsePositives] ?? outside(negatives, falsePositives)) >= threshold
    ) {
      if (negatives[falsePositives] === threshold) ties++;
      falsePositives++;
    }
    const before = truePositives;
    while (truePositives < positives.length && positives[truePositives] === threshold) truePositives++;
    const found = truePositives - before;
    orderedPairs += found * (negatives.length - falsePositives + ties / 2);
    precisions += found * (truePositives / (truePositives + falsePositives));
  }
  return {
    rocAuc:
      negatives.length === 0
        ? undefinedMetric(`all instances are of class ${name}: there is nothing to tell it from`)
        : metric(orderedPairs / (positives.length * negatives.length)),
    // Divided once: shares of a perfect ranking would add up to a bit more than 1.
    averagePrecision: metric(precisions / positives.length),
  };
}
