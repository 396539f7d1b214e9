import { classificationReport, type Metric } from '@evenhand/encoding';
import { at } from '../checked-access.js';

/** What a learner answered for the rows of a test fold. */
export interface FoldAnswers {
  /** The class of every row, as an index. */
  readonly labels: Int32Array;
  readonly answers: Int32Array;
  /** `[rows, classes]` */
  readonly probabilities: Float64Array;
  readonly classNames: readonly string[];
}

/** How good they are. Classes without a test row do not count. `scripts/fold_measures.py` computes the same by scikit-learn. */
export interface FoldMeasures {
  /** Of the answers: mean recall of the classes, mean F1, geometric mean of the recalls. */
  readonly balancedAccuracy: number;
  readonly macroF1: number;
  readonly gMean: number;
  /** Of the probabilities: mean over the classes of the average precision of a class against the rest. */
  readonly macroAveragePrecision: number;
  /** Natural logarithm; of probabilities of at least 1e-15. */
  readonly logLoss: number;
  /** Expected calibration error of the likeliest class, in 15 bins of equal width. */
  readonly calibrationError: number;
}

/** A probability of 0 for what happened would be an infinite loss. */
const LEAST_PROBABILITY = 1e-15;

export function measuresOf({ labels, answers, probabilities, classNames }: FoldAnswers): FoldMeasures {
  const classes = classNames.length;
  const chosen = new Float64Array(probabilities.length);
  for (const [row, answer] of answers.entries()) chosen[row * classes + answer] = 1;
  const ofAnswers = classificationReport(labels, chosen, { classes: classNames });
  const { macro, calibration } = classificationReport(labels, probabilities, { classes: classNames });
  return {
    balancedAccuracy: ofAnswers.balancedAccuracy,
    macroF1: defined(ofAnswers.macro.f1),
    gMean: ofAnswers.gMean,
    macroAveragePrecision: defined(macro.averagePrecision),
    logLoss: logLoss(labels, probabilities, classes),
    calibrationError: defined(calibration.expectedError),
  };
}

function logLoss(labels: Int32Array, probabilities: Float64Array, classes: number): number {
  const losses = Array.from(labels, (label, row) => {
    const own = probabilities.subarray(row * classes, (row + 1) * classes);
    return -Math.log(Math.max(at(own, label) / own.reduce((a, b) => a + b, 0), LEAST_PROBABILITY));
  });
  return losses.reduce((a, b) => a + b, 0) / losses.length;
}

function defined(metric: Metric): number {
  if (metric.value === null) throw new Error(`internal: a test fold without a metric: ${metric.reason}`);
  return metric.value;
}
