import type { Values } from '@evenhand/encoding';
import { float64At } from '../checked-access.js';
import { checkOutputs } from '../evaluation/check-outputs.js';
import type { AnswerRule } from './answer-rule.js';
import { logProbabilities } from './calibration.js';
import { fitBiases } from './class-biases.js';
import { balanced, drawnRows, type FittingOptions, type FittingRows, naturalRows } from './fitting-rows.js';
import { macroF1Offsets } from './macro-f1.js';
import type { Objective } from './objective.js';
import { lowestThreshold } from './recall-at-precision.js';

/** The rule that was fitted, null for the likeliest class; and what a person should be told of it, if anything. */
export interface FittedAnswers {
  readonly rule: AnswerRule | null;
  readonly reason: string | null;
}

/**
 * Fits how probabilities become answers that are good by an objective, for any number of classes.
 *
 * - `balanced-accuracy`: offsets by which every column of the class-normalised soft-confusion matrix sums to 1, as if all classes
 *   were equally frequent. They start from `−τ·log prior`, with one τ for all, and a class leaves that as far as its rows show it.
 * - `accuracy`: the same with the frequencies that the weights say; near 0 where the probabilities are calibrated.
 * - `macro-f1`: offsets by coordinate ascent, shrunken in the same way.
 * - `costs`: the least expected cost. Nothing is fitted: the probabilities should be calibrated, see `fitCalibration`.
 * - `recallAtPrecision`: the lowest threshold with that precision on these rows.
 *
 * @param labels - of data that training has not seen
 * @param probabilities - `[rows, classes]`
 */
export function fitAnswers(
  objective: Objective,
  labels: Int32Array,
  probabilities: Values,
  classes: number,
  options: FittingOptions = {},
): FittedAnswers {
  checkOutputs(labels, probabilities, classes);
  const rows = naturalRows(labels, classes, options);
  switch (objective) {
    case 'balanced-accuracy':
      return offsetsOf(evenOffsets(rows, logProbabilities(probabilities)));
    case 'accuracy':
      return offsetsOf(likeliestOffsets(drawnRows(labels, classes, options), logProbabilities(probabilities)));
    case 'macro-f1':
      return offsetsOf(macroF1Offsets(rows, logProbabilities(probabilities)));
    default:
      return 'costs' in objective
        ? { rule: { kind: 'costs', costs: objective.costs }, reason: null }
        : thresholdRule(objective.recallAtPrecision, objective.class, rows, probabilities);
  }
}

/**
 * The gradient of the class-balanced log-loss by the offset of class q is the q-th column of the soft-confusion matrix, its rows
 * normalised, less 1: where the loss is least, every column sums to 1.
 */
function evenOffsets(rows: FittingRows, logits: Float64Array): Float64Array {
  const shift = rows.prior.map((share) => -Math.log(share));
  return fitBiases(balanced(rows), logits, { temperature: false, shift }).biases;
}

function likeliestOffsets(rows: FittingRows, logits: Float64Array): Float64Array {
  return fitBiases(rows, logits, { temperature: false }).biases;
}

/** The largest offset is 0: only differences matter. */
function offsetsOf(offsets: Float64Array): FittedAnswers {
  const most = offsets.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return { rule: { kind: 'offsets', offsets: Array.from(offsets, (offset) => offset - most) }, reason: null };
}

function thresholdRule(wanted: number, looked: number, rows: FittingRows, probabilities: Values): FittedAnswers {
  if (!(float64At(rows.shares, looked) > 0)) {
    return {
      rule: null,
      reason: `there is no row of class ${looked} to fit a threshold to: the likeliest class is answered`,
    };
  }
  const { threshold, precision, recall } = lowestThreshold(rows, probabilities, wanted, looked);
  const rule = { kind: 'threshold', class: looked, threshold } as const;
  if (precision >= wanted - 1e-9) return { rule, reason: null };
  const best = `the highest is ${precision.toFixed(3)}, at a recall of ${recall.toFixed(3)}, and its threshold is taken`;
  return { rule, reason: `no threshold reaches a precision of ${wanted} on the rows that it is fitted to; ${best}` };
}
