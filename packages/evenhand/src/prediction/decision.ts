import type { NodeWriter } from '@evenhand/engine';

/** What happens between the network's probabilities and the answer. All of it is part of the exported model. */
export interface Decision {
  /** What the logarithms of the probabilities are multiplied by; they sum to 1 again afterwards. */
  readonly logitScale?: number;
  /** Then subtracted from them, one number a class. */
  readonly logitShift?: ArrayLike<number>;
  /** Then their logarithms are divided by this. */
  readonly temperature?: number;
  /** For two classes: the positive one is chosen where its probability is at least this. @defaultValue the likelier class */
  readonly threshold?: number;
  /** The class that the threshold is for. @defaultValue 1 */
  readonly positive?: number;
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

/** Writes a decision behind the network: `softmax((scale·log p − shift)/T)`, and the name of the chosen class. */
export function writeDecision(
  writer: NodeWriter,
  networkProbabilities: string,
  classNames: readonly string[],
  decision: Decision,
): Answer {
  checkDecision(decision, classNames.length);
  const probabilities = writeAdjustment(writer, networkProbabilities, decision);
  const chosen = writeChoice(writer, probabilities, decision);
  const names = writer.constant('decision/classNames', classNames);
  return { probabilities, label: writer.node('label', 'Gather', [names, chosen], { axis: 0 }) };
}

/** In float64 throughout: as exact as the same formula outside the model. */
function writeAdjustment(writer: NodeWriter, given: string, decision: Decision): string {
  const { logitScale, logitShift, temperature } = decision;
  if (logitScale === undefined && logitShift === undefined && temperature === undefined) {
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
  if (temperature !== undefined) {
    logits = writer.node('decision/tempered', 'Div', [logits, writer.scalar('decision/temperature', temperature)]);
  }
  const softmax = writer.node('decision/softmax', 'Softmax', [logits], { axis: 1 });
  return writer.cast('probabilities', softmax, 'float32');
}

/** The chosen class of every row, int64 `[batch]`. Of equally likely ones, the first. */
function writeChoice(writer: NodeWriter, probabilities: string, { threshold, positive = 1 }: Decision): string {
  if (threshold === undefined) {
    return writer.node('decision/class', 'ArgMax', [probabilities], { axis: 1, keepdims: 0 });
  }
  const column = writer.constant('decision/positiveClass', BigInt64Array.of(BigInt(positive)), []);
  const likelihood = writer.node('decision/likelihood', 'Gather', [probabilities, column], { axis: 1 });
  const wide = writer.cast('decision/wideLikelihood', likelihood, 'float64');
  const isPositive = writer.node('decision/isPositive', 'GreaterOrEqual', [
    wide,
    writer.scalar('decision/threshold', threshold),
  ]);
  const classOf = (wanted: number) => writer.constant('decision/either', BigInt64Array.of(BigInt(wanted)), []);
  return writer.node('decision/class', 'Where', [isPositive, classOf(positive), classOf(1 - positive)]);
}

function checkDecision(decision: Decision, classes: number): void {
  const { logitShift, threshold, positive = 1 } = decision;
  if (logitShift !== undefined) {
    if (logitShift.length !== classes || !Array.from(logitShift).every(Number.isFinite)) {
      throw new RangeError(
        `logitShift is [${Array.from(logitShift).join(', ')}]; expected ${classes} numbers, one for each class`,
      );
    }
  }
  for (const name of ['logitScale', 'temperature'] as const) {
    const { [name]: value = 1 } = decision;
    if (!(value > 0 && Number.isFinite(value))) throw new RangeError(`${name} is ${value}; expected a number above 0`);
  }
  if (threshold === undefined) return;
  if (classes !== 2) throw new RangeError(`threshold is ${threshold}; expected none with ${classes} classes`);
  if (!(threshold >= 0 && threshold <= 1)) throw new RangeError(`threshold is ${threshold}; expected 0 to 1`);
  if (positive !== 0 && positive !== 1) throw new RangeError(`positive is ${positive}; expected class 0 or 1`);
}
