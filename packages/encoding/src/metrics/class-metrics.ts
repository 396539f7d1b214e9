import { at } from '../checked-access.js';
import { combine, type Metric, ratio, undefinedMetric } from './metric.js';
import type { RankingMetrics } from './ranking.js';
import type { Tally } from './tally.js';

/** What can be said of one class, seen as that class against the rest. */
export interface ClassMetrics extends RankingMetrics {
  readonly name: string;
  /** Instances of the class. */
  readonly support: number;
  /** How often it was predicted. */
  readonly predicted: number;
  readonly recall: Metric;
  readonly precision: Metric;
  readonly specificity: Metric;
  readonly f1: Metric;
  /** `√(recall · specificity)`. */
  readonly gMean: Metric;
  /** Index balanced accuracy of the squared geometric mean, `(1 + α·(recall − specificity))·recall·specificity`, α = 0.1. */
  readonly indexBalancedAccuracy: Metric;
}

const DOMINANCE_WEIGHT = 0.1;

export function classMetrics(counts: Tally, p: number, name: string, ranking: RankingMetrics): ClassMetrics {
  const support = at(counts.support, p);
  const predicted = at(counts.predicted, p);
  const truePositives = at(counts.confusion, p * counts.classes + p);
  const others = counts.instances - support;
  const trueNegatives = others - (predicted - truePositives);

  const absent = `class ${name} has no instance`;
  const recall = ratio(truePositives, support, absent);
  const specificity = ratio(trueNegatives, others, `all instances are of class ${name}`);
  return {
    name,
    support,
    predicted,
    recall,
    precision:
      support === 0 ? undefinedMetric(absent) : ratio(truePositives, predicted, `class ${name} is never predicted`),
    specificity,
    // 2·TP / (2·TP + FP + FN)
    f1: support === 0 ? undefinedMetric(absent) : ratio(2 * truePositives, support + predicted, absent),
    gMean: combine(recall, specificity, (r, s) => Math.sqrt(r * s)),
    indexBalancedAccuracy: combine(recall, specificity, (r, s) => (1 + DOMINANCE_WEIGHT * (r - s)) * r * s),
    ...ranking,
  };
}
