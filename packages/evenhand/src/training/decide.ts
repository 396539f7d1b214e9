import { classCounts } from '@evenhand/encoding';
import { at } from '../checked-access.js';
import type { Config } from '../config/schema.js';
import { answersOf } from '../decision/answer-rule.js';
import { type Calibration, fitCalibration, logProbabilities, withCalibration } from '../decision/calibration.js';
import { type FittedAnswers, fitAnswers } from '../decision/fit-answers.js';
import { type Objective, resolveObjective } from '../decision/objective.js';
import type { PreparedMethod } from '../methods/method.js';
import type { Decision } from '../prediction/decision.js';
import type { FittedDecision } from '../runs/evaluation-file.js';

/** From the network's probabilities to answers, outside of the exported model: it computes the same. */
export interface Decider {
  readonly fitted: FittedDecision;
  /** What the exported model is told. */
  readonly decision: Decision;
  /** The probabilities that are given, from what the method makes of the network's. */
  probabilities(adjusted: Float32Array): Float32Array;
  /** The answer to every instance, from the probabilities that are given. */
  answers(probabilities: Float32Array): Int32Array;
}

/** What is needed to fit a decision. The test set is not among it. */
export interface DecisionContext {
  readonly config: Config['decision'];
  readonly classNames: readonly string[];
  readonly method: PreparedMethod;
  /** Instances of every class beside the test set. */
  readonly prior: readonly number[];
  /** Of the instances that measure. */
  readonly labels: Int32Array;
  /** What the method makes of the network's probabilities for them. */
  readonly adjustedProbabilities: Float32Array;
}

/** The objective of a configuration for the classes that there are; null for the likeliest class. Refused before training. */
export function objectiveOf({ objective }: Config['decision'], classNames: readonly string[]): Objective | null {
  return objective === undefined ? null : resolveObjective(objective, classNames);
}

/** The cost matrix of an objective, if it has one, as an option of an evaluation. */
export function costsOf(objective: Objective | null): { costs?: readonly (readonly number[])[] } {
  return typeof objective === 'object' && objective !== null && 'costs' in objective ? { costs: objective.costs } : {};
}

/**
 * Fits calibration and answers, where asked for, on the instances that measure. A validation set is drawn class by class: each of its instances
 * stands for as many as its class has beside the test set, divided by how many of it were drawn.
 */
export function fitDecision(context: DecisionContext): Decider {
  const { config, classNames, method, prior, labels, adjustedProbabilities } = context;
  const classes = classNames.length;
  const objective = objectiveOf(config, classNames);
  const measured = classCounts(labels, classes);
  const classWeights = prior.map((count, p) => count / Math.max(1, at(measured, p)));
  const rows = { classWeights, prior };

  const calibration: Calibration | null =
    config.temperature || objective !== null
      ? fitCalibration(labels, logProbabilities(adjustedProbabilities), classes, { ...rows, shift: logarithms(prior) })
      : null;
  const probabilities = (adjusted: Float32Array) =>
    calibration === null ? adjusted.slice() : Float32Array.from(withCalibration(adjusted, calibration));
  const answers: FittedAnswers | null =
    objective === null ? null : fitAnswers(objective, labels, probabilities(adjustedProbabilities), classes, rows);
  const rule = answers?.rule ?? null;
  const { logitScale, logitShift } = method;
  return {
    fitted: { calibration, answers },
    decision: {
      ...(logitScale === undefined ? {} : { logitScale }),
      ...(logitShift === undefined ? {} : { logitShift }),
      ...(calibration === null ? {} : { calibration }),
      ...(rule === null ? {} : { rule }),
    },
    probabilities,
    answers: (given) => answersOf(rule, given, classes),
  };
}

/** Of the frequencies of the classes: by these a network that was trained as if they were equal is shifted. */
function logarithms(prior: readonly number[]): number[] {
  return prior.map((count) => Math.log(Math.max(1, count)));
}
