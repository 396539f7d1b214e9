import { type ClassificationReport, classificationReport, type Metric, type Values } from '@evenhand/encoding';
import { seededRandom } from '@evenhand/engine';
import { at, float64At } from '../checked-access.js';
import { UserError } from '../user-error.js';
import { checkOutputs } from './check-outputs.js';
import { type ConfusionMetrics, confusionMetrics } from './confusion-metrics.js';
import { type Costs, costEstimates } from './costs.js';
import { type Estimate, percentileEstimate, shareEstimate } from './estimate.js';
import { positiveClass } from './positive-class.js';
import { confusionResampler } from './resampled-confusion.js';
import { type RankingDraw, rankingResampler } from './resampled-ranking.js';
import { sparseConfusion } from './sparse-confusion.js';

/** A test set, what a classifier made of it, and how to resample it. */
export interface EvaluateOptions {
  /** The class of every test instance. */
  readonly labels: Int32Array;
  /** `[instances, classes]` */
  readonly probabilities: Values;
  /** The class that each test instance is answered with. @defaultValue the likeliest */
  readonly answers?: Int32Array;
  /** `costs[p][q]`: what it costs to answer class q where class p is true. */
  readonly costs?: readonly (readonly number[])[];
  readonly classNames: readonly string[];
  /** Training instances of every class; they say which classes are minorities, and which of two is the positive one. */
  readonly trainingCounts: readonly number[];
  /** Decides what is resampled. */
  readonly seed: number;
  /** @defaultValue 1000 */
  readonly resamples?: number;
}

/** Headline metrics with their confidence intervals. */
export interface Estimates {
  readonly accuracy: Estimate;
  readonly balancedAccuracy: Estimate;
  readonly macroF1: Estimate;
  readonly gMean: Estimate;
  readonly minorityAccuracy: Estimate;
  readonly matthewsCorrelation: Estimate;
  /** One per class, in the order of the class names. */
  readonly recall: readonly Estimate[];
  /** Null for more than two classes. */
  readonly binary: BinaryEstimates | null;
}

/** How well one of two classes is ranked before the other. */
export interface BinaryEstimates {
  /** The class with fewer training instances. */
  readonly positive: number;
  readonly rocAuc: Estimate;
  readonly averagePrecision: Estimate;
}

/**
 * A classifier on a test set. Accuracy, recall, precision, F1, the confusion matrix and costs are those of its answers; ranking and
 * calibration are those of its probabilities. Plain data: it survives JSON unchanged.
 */
export interface Evaluation {
  readonly report: ClassificationReport;
  readonly estimates: Estimates;
  /** Null where no costs are given. */
  readonly costs: Costs | null;
  readonly bootstrap: { readonly resamples: number; readonly seed: number };
}

const FEWEST_RESAMPLES = 100;
const MOST_RESAMPLES = 100_000;

/**
 * Everything about a classifier's outputs on a test set, the headline metrics with 95 % percentile bootstrap intervals.
 *
 * The bootstrap is stratified: each class keeps its number of instances. Splits are made by class, so those numbers are
 * a choice and not chance; and an ordinary bootstrap would leave a class of five instances out of every 150th resample
 * and a class of one out of every third, where its recall is undefined. So the intervals are for test sets with these
 * class counts. For classes of a few instances they are too narrow, as every bootstrap's are; recall and accuracy of 0 or 1, where
 * all resamples agree, have Wilson's interval instead.
 */
export function evaluate(options: EvaluateOptions): Evaluation {
  const { labels, probabilities, answers, classNames, trainingCounts, seed, resamples = 1000 } = options;
  if (!Number.isInteger(resamples) || resamples < FEWEST_RESAMPLES || resamples > MOST_RESAMPLES) {
    throw new UserError(
      `resamples is ${resamples}; expected an integer from ${FEWEST_RESAMPLES} to ${MOST_RESAMPLES}: fewer cannot show the ends of a 95 % interval`,
    );
  }
  checkOutputs(labels, probabilities, classNames.length);
  const ofAnswers = answers === undefined ? {} : { answers };
  const report = classificationReport(labels, probabilities, { classes: classNames, trainingCounts, ...ofAnswers });
  return {
    report,
    estimates: {
      ...confusionEstimates(report, seed, resamples),
      binary: classNames.length === 2 ? binaryEstimates(options, report, resamples) : null,
    },
    costs: options.costs === undefined ? null : costEstimates(options, options.costs, report, resamples),
    bootstrap: { resamples, seed },
  };
}

function confusionEstimates(report: ClassificationReport, seed: number, resamples: number): Omit<Estimates, 'binary'> {
  const classes = report.perClass.length;
  const confusion = sparseConfusion(report.confusionMatrix, classes);
  const resample = confusionResampler(confusion, seededRandom(seed, 'bootstrap/confusion'));
  const draws = Array.from({ length: resamples }, () => confusionMetrics(resample(), report.minority.classes));
  const estimate = (metric: Metric, of: (draw: ConfusionMetrics) => number) =>
    percentileEstimate(metric, draws.map(of));
  const share = (metric: Metric, of: (draw: ConfusionMetrics) => number, instances: number) =>
    shareEstimate(metric, draws.map(of), instances);
  const rarest = report.minority.classes.reduce((sum, p) => sum + at(report.perClass, p).support, 0);
  return {
    accuracy: share({ value: report.accuracy }, (draw) => draw.accuracy, report.instances),
    balancedAccuracy: estimate({ value: report.balancedAccuracy }, (draw) => draw.balancedAccuracy),
    macroF1: estimate(report.macro.f1, (draw) => draw.macroF1),
    gMean: estimate({ value: report.gMean }, (draw) => draw.gMean),
    minorityAccuracy: share(report.minority.accuracy, (draw) => draw.minorityAccuracy, rarest),
    matthewsCorrelation: estimate(report.matthewsCorrelation, (draw) => draw.matthewsCorrelation),
    recall: report.perClass.map(({ recall, support }, p) =>
      share(recall, (draw) => float64At(draw.recall, p), support),
    ),
  };
}

function binaryEstimates(options: EvaluateOptions, report: ClassificationReport, resamples: number): BinaryEstimates {
  const positive = positiveClass(options.trainingCounts);
  const random = seededRandom(options.seed, 'bootstrap/ranking');
  const resample = rankingResampler(options.labels, options.probabilities, positive, random);
  const draws = Array.from({ length: resamples }, resample);
  const metrics = at(report.perClass, positive);
  const estimate = (key: keyof RankingDraw) =>
    percentileEstimate(
      metrics[key],
      draws.map((draw) => draw[key]),
    );
  return { positive, rocAuc: estimate('rocAuc'), averagePrecision: estimate('averagePrecision') };
}
