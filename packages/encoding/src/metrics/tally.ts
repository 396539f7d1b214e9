import type { NumberLabels, Values } from '../arrays.js';
import { PROBABILITY_TOLERANCE } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { largestOfRow } from '../confusion-matrix.js';
import { addToBin, type CalibrationBin, emptyBins } from './calibration.js';

/** Everything that one pass over labels and scores can count. */
export interface Tally {
  readonly classes: number;
  readonly instances: number;
  /** `[true class, answered class]`. */
  readonly confusion: Float64Array;
  /** How many instances of each class there are, and how often each was answered. */
  readonly support: Float64Array;
  readonly predicted: Float64Array;
  /** How often the true class came out at rank r, from 0; ties rank the lower class index first. */
  readonly ranks: Float64Array;
  /** Σ over instances and classes of `(y_q − l_q)²`. */
  readonly squaredError: number;
  /** Σ over instances of `−log l_y`, a score below 2⁻¹²⁶, where float32 ends, counting as that. */
  readonly logLoss: number;
  readonly bins: readonly CalibrationBin[];
  /** The first instance whose scores are no probabilities, if there is one. */
  readonly improperRow: number | null;
}

const SMALLEST_PROBABILITY = 2 ** -126;

/** @param answers - one class per instance; the class with the largest score where they are left out */
export function tally(labels: NumberLabels, scores: Values, classes: number, answers?: NumberLabels): Tally {
  const confusion = new Float64Array(classes * classes);
  const support = new Float64Array(classes);
  const predicted = new Float64Array(classes);
  const ranks = new Float64Array(classes);
  const bins = emptyBins();
  let squaredError = 0;
  let logLoss = 0;
  let improperRow: number | null = null;

  const increment = (counts: Float64Array, i: number) => {
    counts[i] = (counts[i] ?? outside(counts, i)) + 1;
  };
  const score = (i: number) => scores[i] ?? outside(scores, i);
  for (let i = 0; i < labels.length; i++) {
    const start = i * classes;
    const label = labels[i] ?? outside(labels, i);
    const prediction = largestOfRow(scores, i, classes);
    const own = score(start + label);
    let ahead = 0;
    let sum = 0;
    let negative = false;
    for (let q = 0; q < classes; q++) {
      const value = score(start + q);
      if (value > own || (value === own && q < label)) ahead++;
      if (value < 0) negative = true;
      sum += value;
      squaredError += (value - (q === label ? 1 : 0)) ** 2;
    }
    if (negative || Math.abs(sum - 1) > PROBABILITY_TOLERANCE) improperRow ??= i;
    const answer = answers === undefined ? prediction : (answers[i] ?? outside(answers, i));
    increment(confusion, label * classes + answer);
    logLoss -= Math.log(Math.max(own, SMALLEST_PROBABILITY));
    increment(support, label);
    increment(predicted, answer);
    increment(ranks, ahead);
    addToBin(bins, score(start + prediction), prediction === label);
  }
  return {
    classes,
    instances: labels.length,
    confusion,
    support,
    predicted,
    ranks,
    squaredError,
    logLoss,
    bins: bins.filter((bin) => bin.count > 0),
    improperRow,
  };
}
