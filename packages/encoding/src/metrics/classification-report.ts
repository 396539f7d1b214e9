import type { Labels, Values } from '../arrays.js';
import { checkCounts, checkFinite, checkNumber, checkSomeLabels } from '../check-arguments.js';
import { at } from '../checked-access.js';
import { checkClassNames } from '../class-names.js';
import { cohensKappa, matthewsCorrelation } from './agreement.js';
import { type Averages, averages } from './averages.js';
import { type CalibrationBin, expectedCalibrationError, maximumCalibrationError } from './calibration.js';
import { type ClassMetrics, classMetrics } from './class-metrics.js';
import { type MinorityMetric, minorityMetric, type ShotGroups, shotGroups } from './groups.js';
import { type Metric, metric, undefinedMetric } from './metric.js';
import { rankingMetrics } from './ranking.js';
import { tally } from './tally.js';

export interface ReportOptions {
  /** The number of classes, or their names. */
  readonly classes: number | readonly string[];
  /**
   * The class that each instance is answered with, where that is not always the one with the largest score. Accuracy, recall,
   * precision, F1 and the confusion matrix are those of the answers; top-k accuracy, ranking and calibration those of the scores.
   */
  readonly answers?: Labels;
  /** @defaultValue 5, or the number of classes if that is less */
  readonly topK?: number;
  /** Class counts of the training set: they say which classes are minorities, and which many-, medium- and few-shot. */
  readonly trainingCounts?: Values;
  /** How many of the rarest classes are minorities. @defaultValue half of them, rounded down */
  readonly minorityClasses?: number;
}

/** Everything about a classifier's outputs on a test set. */
export interface ClassificationReport {
  readonly instances: number;
  /** Of the answers: the class with the largest score, unless others are given; ties go to the lowest class index. */
  readonly accuracy: number;
  /** How often the true class is among those with the k largest scores. */
  readonly topK: { readonly k: number; readonly accuracy: number };
  /** Mean recall of the classes that have instances. */
  readonly balancedAccuracy: number;
  /** Geometric mean of the recalls of the classes that have instances: 0 as soon as one class is never found. */
  readonly gMean: number;
  readonly matthewsCorrelation: Metric;
  readonly cohensKappa: Metric;
  readonly minority: MinorityMetric;
  readonly groups: ShotGroups;
  /** Unweighted means over classes. */
  readonly macro: Averages;
  /** Means over classes, weighted by their numbers of instances. */
  readonly weighted: Averages;
  /** Mean over instances of `Σ_q (y_q − l_q)²`: 0 to 2. */
  readonly brier: Metric;
  /** Mean over instances of `−log l_y`, y the true class; a probability of 0 counts as 2⁻¹²⁶. */
  readonly logLoss: Metric;
  readonly calibration: {
    readonly expectedError: Metric;
    readonly maximumError: Metric;
    readonly bins: readonly CalibrationBin[];
  };
  /** `[true class, answered class]`, row after row. */
  readonly confusionMatrix: readonly number[];
  readonly perClass: readonly ClassMetrics[];
}

/**
 * All metrics from one pass over labels and scores.
 *
 * A metric that is undefined, because a class is absent or never predicted, is `{ value: null, reason }`. Scores may be
 * any finite numbers; where they are not probabilities, the Brier score and calibration are undefined.
 *
 * @example
 * ```ts
 * const report = classificationReport([0, 1, 1], [0.8, 0.2, 0.4, 0.6, 0.7, 0.3], { classes: ['cat', 'dog'] });
 * report.balancedAccuracy; // 0.75
 * ```
 */
export function classificationReport(labels: Labels, scores: Values, options: ReportOptions): ClassificationReport {
  const names = checkClassNames(options.classes);
  const classes = names.length;
  const instances = checkSomeLabels(labels, classes);
  checkFinite(scores, instances.length, classes, 'scores');
  const { topK: k = Math.min(5, classes), minorityClasses = Math.floor(classes / 2), trainingCounts } = options;
  checkWhole(k, classes, 'topK');
  checkWhole(minorityClasses, classes, 'minorityClasses');
  if (trainingCounts !== undefined) checkCounts(trainingCounts, classes, 'trainingCounts');

  const answers = options.answers === undefined ? undefined : checkSomeLabels(options.answers, classes, 'answers');
  if (answers !== undefined && answers.length !== instances.length) {
    throw new RangeError(
      `answers has length ${answers.length}; expected one for each of ${instances.length} instances`,
    );
  }
  const counts = tally(instances, scores, classes, answers);
  const perClass = names.map((name, p) =>
    classMetrics(counts, p, name, rankingMetrics(instances, scores, classes, p, name)),
  );
  const recalls = perClass.flatMap(({ recall }) => (recall.value === null ? [] : [recall.value]));
  const topAccuracy = (ranks: number) => counts.ranks.subarray(0, ranks).reduce((a, b) => a + b, 0) / counts.instances;
  const ofProbabilities = (value: () => Metric) =>
    counts.improperRow === null
      ? value()
      : undefinedMetric(`the scores are not probabilities: row ${counts.improperRow} is negative or does not sum to 1`);

  return {
    instances: counts.instances,
    accuracy: names.reduce((right, _, p) => right + at(counts.confusion, p * (classes + 1)), 0) / counts.instances,
    topK: { k, accuracy: topAccuracy(k) },
    balancedAccuracy: recalls.reduce((a, b) => a + b, 0) / recalls.length,
    gMean: Math.exp(recalls.reduce((sum, recall) => sum + Math.log(recall), 0) / recalls.length),
    matthewsCorrelation: matthewsCorrelation(counts),
    cohensKappa: cohensKappa(counts),
    minority: minorityMetric(perClass, (p) => at(counts.confusion, p * (classes + 1)), trainingCounts, minorityClasses),
    groups: shotGroups(perClass, trainingCounts),
    macro: averages(perClass, () => 1),
    weighted: averages(perClass, ({ support }) => support),
    brier: ofProbabilities(() => metric(counts.squaredError / counts.instances)),
    logLoss: ofProbabilities(() => metric(counts.logLoss / counts.instances)),
    calibration: {
      expectedError: ofProbabilities(() => expectedCalibrationError(counts.bins, counts.instances)),
      maximumError: ofProbabilities(() => maximumCalibrationError(counts.bins)),
      bins: counts.improperRow === null ? counts.bins : [],
    },
    confusionMatrix: Array.from(counts.confusion),
    perClass,
  };
}

function checkWhole(value: number, most: number, name: string): void {
  checkNumber(value, 1, most, name);
  if (!Number.isInteger(value)) throw new RangeError(`${name} is ${value}; expected an integer`);
}
