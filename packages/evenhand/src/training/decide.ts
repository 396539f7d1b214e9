import { float32At } from '../checked-access.js';
import type { Config } from '../config/schema.js';
import { fitTemperature, withTemperature } from '../evaluation/temperature.js';
import { fitThreshold, positiveClass } from '../evaluation/threshold.js';
import { adjustProbabilities } from '../methods/adjust-probabilities.js';
import type { PreparedMethod } from '../methods/method.js';
import type { Decision } from '../prediction/decision.js';
import type { FittedDecision } from '../runs/evaluation-file.js';
import { UserError } from '../user-error.js';
import { likeliest } from './validation.js';

/** From the network's probabilities to answers, outside of the exported model: it computes the same. */
export interface Decider {
  readonly fitted: FittedDecision;
  /** What the exported model is told. */
  readonly decision: Decision;
  /** The probabilities that are answered. */
  probabilities(networkProbabilities: Float32Array): Float32Array;
  /** The chosen class of every instance, from the probabilities that are answered. */
  classes(probabilities: Float32Array): Int32Array;
  /** Scores whose largest is the chosen class, in the order of the probabilities; null where these are such scores. */
  scores(probabilities: Float32Array): Float64Array | null;
}

/** What is needed to fit a decision. The test set is not among it. */
export interface DecisionContext {
  readonly config: Config['decision'];
  readonly method: PreparedMethod;
  readonly trainingCounts: readonly number[];
  /** Of the validation set. */
  readonly labels: Int32Array;
  readonly networkProbabilities: Float32Array;
}

/** A threshold needs two classes: refused before training. */
export function checkDecision({ threshold }: Config['decision'], classNames: readonly string[]): void {
  if (threshold === undefined || classNames.length === 2) return;
  throw new UserError(
    `decision.threshold is ${JSON.stringify(threshold)}, but there are ${classNames.length} classes; expected 2. Leave it out`,
    { options: ['decision.threshold'] },
  );
}

/** Fits temperature and threshold, where asked for, on the validation set. */
export function fitDecision({
  config,
  method,
  trainingCounts,
  labels,
  networkProbabilities,
}: DecisionContext): Decider {
  const classes = trainingCounts.length;
  const adjusted = (raw: Float32Array) => adjustProbabilities(raw, classes, method);
  const temperature = config.temperature ? fitTemperature(labels, adjusted(networkProbabilities), classes) : null;
  const found = temperature?.temperature ?? null;
  const probabilities = (raw: Float32Array) =>
    found === null ? adjusted(raw) : Float32Array.from(withTemperature(adjusted(raw), classes, found));
  const threshold =
    config.threshold === undefined
      ? null
      : fitThreshold(labels, probabilities(networkProbabilities), config.threshold, positiveClass(trainingCounts));
  const cut = threshold === null || threshold.threshold === null ? null : threshold;
  const { logitScale, logitShift } = method;
  return {
    fitted: { temperature, threshold },
    decision: {
      ...(logitScale === undefined ? {} : { logitScale }),
      ...(logitShift === undefined ? {} : { logitShift }),
      ...(found === null ? {} : { temperature: found }),
      ...cut,
    },
    probabilities,
    classes: (rows) =>
      Int32Array.from({ length: rows.length / classes }, (_, i) => {
        if (cut === null) return likeliest(rows, i, classes);
        return float32At(rows, 2 * i + cut.positive) >= cut.threshold ? cut.positive : 1 - cut.positive;
      }),
    scores: (rows) => (cut === null ? null : scoresAround(rows, cut.threshold, cut.positive)),
  };
}

/** Keeps a probability that equals the threshold on the positive side. */
const JUST_ABOVE = 2 ** -40;

/** Probabilities stretched so that the threshold comes to lie at 1/2. */
function scoresAround(rows: Float32Array, threshold: number, positive: number): Float64Array {
  const scores = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 2) {
    const p = float32At(rows, i + positive);
    const above = threshold === 1 ? 1 : 0.5 + JUST_ABOVE + ((0.5 - JUST_ABOVE) * (p - threshold)) / (1 - threshold);
    const score = p >= threshold ? above : (0.5 * p) / threshold;
    scores[i + positive] = score;
    scores[i + 1 - positive] = 1 - score;
  }
  return scores;
}
