import type { NodeWriter } from '@evenhand/engine';
import { type AnswerRule, offsetFactors } from '../decision/answer-rule.js';
import type { Calibration } from '../decision/calibration.js';

/** What happens between the network's probabilities and the answer. All of it is part of the exported model. */
export interface Decision {
  /** What the logarithms of the probabilities are multiplied by; they sum to 1 again afterwards. */
  readonly logitScale?: number;
  /** Then subtracted from them, one number per class. */
  readonly logitShift?: ArrayLike<number>;
  /** Then `softmax(log p / T + b)` of them. */
  readonly calibration?: Calibration;
  /** How they become answers. @defaultValue the likeliest class */
  readonly rule?: AnswerRule;
}

/** The values that a model gives. */
interface Answer {
  /** float32 `[batch, classes]` */
  readonly probabilities: string;
  /** Names of classes, `[batch]`. */
  readonly label: string;
}

/** Softmax in float32 gives 0 for anything smaller; the logarithm of this stands for it. */
const SMALLEST_PROBABILITY = 2 ** -126;

/** Writes a decision behind the network: `softmax((scale·log p − shift)/T + b)`, and the name of the answered class. */
export function writeDecision(
  writer: NodeWriter,
  networkProbabilities: string,
  classNames: readonly string[],
  decision: Decision,
): Answer {
  checkDecision(decision, classNames.length);
  const probabilities = writeAdjustment(writer, networkProbabilities, decision);
  const chosen = writeAnswer(writer, probabilities, decision.rule, classNames.length);
  const names = writer.constant('decision/classNames', classNames);
  return { probabilities, label: writer.node('label', 'Gather', [names, chosen], { axis: 0 }) };
}

/** In float64 throughout: as exact as the same formula outside the model. */
function writeAdjustment(writer: NodeWriter, given: string, decision: Decision): string {
  const { logitScale, logitShift, calibration } = decision;
  if (logitScale === undefined && logitShift === undefined && calibration === undefined) {
    return writer.node('probabilities', 'Identity', [given]);
  }
  const wide = writer.cast('decision/wide', given, 'float64');
  const smallest = writer.scalar('decision/smallest', SMALLEST_PROBABILITY);
  let logits = writer.node('decision/logits', 'Log', [writer.node('decision/bounded', 'Max', [wide, smallest])]);
  if (logitScale !== undefined) {
    logits = writer.node('decision/scaled', 'Mul', [logits, writer.scalar('decision/scale', logitScale)]);
  }
  if (logitShift !== undefined) {
    const shift = writer.constant('decision/shift', Float64Array.from(logitShift));
    logits = writer.node('decision/shifted', 'Sub', [logits, shift]);
  }
  if (calibration !== undefined) {
    const temperature = writer.scalar('decision/temperature', calibration.temperature);
    const tempered = writer.node('decision/tempered', 'Div', [logits, temperature]);
    const biases = writer.constant('decision/biases', Float64Array.from(calibration.biases));
    logits = writer.node('decision/calibrated', 'Add', [tempered, biases]);
  }
  const softmax = writer.node('decision/softmax', 'Softmax', [logits], { axis: 1 });
  return writer.cast('probabilities', softmax, 'float32');
}

/** The answered class of every row, int64 `[batch]`. Of equally good ones, the first. All sums and products are in float64. */
function writeAnswer(writer: NodeWriter, probabilities: string, rule: AnswerRule | undefined, classes: number): string {
  const largest = (scores: string) => writer.node('decision/class', 'ArgMax', [scores], { axis: 1, keepdims: 0 });
  if (rule === undefined) return largest(probabilities);
  const wide = writer.cast('decision/wideProbabilities', probabilities, 'float64');
  switch (rule.kind) {
    case 'offsets': {
      const factors = writer.constant('decision/factors', offsetFactors(rule.offsets));
      return largest(writer.node('decision/scores', 'Mul', [wide, factors]));
    }
    case 'costs': {
      const savings = Float64Array.from(rule.costs.flat(), (cost) => -cost);
      const matrix = writer.constant('decision/savings', savings, [classes, classes]);
      return largest(writer.node('decision/expectedSavings', 'MatMul', [wide, matrix]));
    }
    case 'threshold': {
      const index = writer.constant('decision/lookedFor', BigInt64Array.of(BigInt(rule.class)), []);
      const own = writer.node('decision/own', 'Gather', [wide, index], { axis: 1 });
      const isFound = writer.node('decision/isFound', 'GreaterOrEqual', [
        own,
        writer.scalar('decision/threshold', rule.threshold),
      ]);
      const without = Float64Array.from({ length: classes }, (_, q) => (q === rule.class ? -2 : 0));
      const others = writer.node('decision/others', 'Add', [wide, writer.constant('decision/without', without)]);
      const likeliest = writer.node('decision/likeliestOther', 'ArgMax', [others], { axis: 1, keepdims: 0 });
      return writer.node('decision/class', 'Where', [isFound, index, likeliest]);
    }
  }
}

function checkDecision({ logitScale = 1, logitShift, calibration, rule }: Decision, classes: number): void {
  const checkNumbers = (name: string, values: ArrayLike<number>) => {
    if (values.length === classes && Array.from(values).every(Number.isFinite)) return;
    throw new RangeError(
      `${name} is [${Array.from(values).join(', ')}]; expected ${classes} numbers, one for each class`,
    );
  };
  const checkAboveZero = (name: string, value: number) => {
    if (!(value > 0 && Number.isFinite(value))) throw new RangeError(`${name} is ${value}; expected a number above 0`);
  };
  checkAboveZero('logitScale', logitScale);
  if (logitShift !== undefined) checkNumbers('logitShift', logitShift);
  if (calibration !== undefined) {
    checkAboveZero('temperature', calibration.temperature);
    checkNumbers('biases', calibration.biases);
  }
  if (rule?.kind === 'offsets') checkNumbers('offsets', rule.offsets);
  if (rule?.kind === 'costs') {
    if (rule.costs.length !== classes) throw new RangeError(`costs has ${rule.costs.length} rows; expected ${classes}`);
    for (const [p, row] of rule.costs.entries()) checkNumbers(`costs[${p}]`, row);
  }
  if (rule?.kind !== 'threshold') return;
  if (!(rule.threshold >= 0 && rule.threshold <= 1))
    throw new RangeError(`threshold is ${rule.threshold}; expected 0 to 1`);
  if (!Number.isInteger(rule.class) || rule.class < 0 || rule.class >= classes) {
    throw new RangeError(`class is ${rule.class}; expected 0 to ${classes - 1}`);
  }
}
