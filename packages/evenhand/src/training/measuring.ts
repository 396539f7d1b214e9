import type { Program } from '@evenhand/engine';
import type { Trainer } from '@evenhand/engine/node';
import { at, float32At, int32At } from '../checked-access.js';
import type { Split } from '../splits/split-dataset.js';
import type { Instances } from './instances.js';

/** Who measures: instances of which is said what has not learned from them. */
export interface Measuring {
  readonly instances: Int32Array;
  readonly labels: Int32Array;
}

/** Where every instance trains. */
export const NOTHING_MEASURES: Measuring = { instances: new Int32Array(), labels: new Int32Array() };

/** Instances that are predicted in one message. */
const PREDICTED_AT_ONCE = 1024;

/** The validation set; with folds all training instances, each by the one member that leaves out its fold. */
export function measuringOf(split: Split, labels: Int32Array): Measuring {
  const instances = split.folds === undefined ? split.validation : split.training;
  if (instances.length === 0) return NOTHING_MEASURES;
  return { instances, labels: instances.map((instance) => int32At(labels, instance)) };
}

/** What gives `[instances, classes]` of those that measure, by a network as it is when it is called. */
export function measureWith(
  trainer: Trainer,
  { instances: chosen }: Measuring,
  folds: Int32Array | undefined,
  instances: Instances,
): () => Promise<Float32Array> {
  if (chosen.length === 0) return async () => new Float32Array();
  if (folds === undefined) {
    const inputs = instances.inputs(chosen);
    return () => trainer.predict(inputs);
  }
  const { program } = trainer;
  const rows = rowsByFold(folds, program);
  const inputs = instances.inputs(rows.map((row) => int32At(chosen, Math.max(row, 0))));
  return async () => {
    const { classes } = program;
    const outputs = await trainer.predict(inputs);
    const probabilities = new Float32Array(chosen.length * classes);
    for (const [i, row] of rows.entries()) {
      if (row >= 0) probabilities.set(outputs.subarray(i * classes, (i + 1) * classes), row * classes);
    }
    return probabilities;
  };
}

/**
 * Rows in the order in which a pack is fed them to predict: for every call the next of the first fold, then of the second, …; −1 where a
 * fold has no more.
 */
export function rowsByFold(folds: Int32Array, { pack, evaluationBatch }: Program): Int32Array {
  const ofFold = Array.from({ length: pack }, (): number[] => []);
  for (const [row, fold] of folds.entries()) at(ofFold, fold).push(row);
  const each = evaluationBatch / pack;
  const calls = Math.ceil(Math.max(...ofFold.map(({ length }) => length)) / each);
  return Int32Array.from({ length: calls * evaluationBatch }, (_, i) => {
    const call = Math.floor(i / evaluationBatch);
    const fold = at(ofFold, Math.floor((i % evaluationBatch) / each));
    return fold[call * each + (i % each)] ?? -1;
  });
}

/** What the network makes of instances that it has not learned from; a pack's is the mean of all its networks. */
export async function predictInstances(
  instances: Instances,
  trainer: Trainer,
  chosen: Int32Array,
): Promise<Float32Array> {
  const { classes, pack, evaluationBatch } = trainer.program;
  const probabilities = new Float32Array(chosen.length * classes);
  const atOnce = pack === 1 ? PREDICTED_AT_ONCE : evaluationBatch / pack;
  for (let from = 0; from < chosen.length; from += atOnce) {
    const part = chosen.subarray(from, from + atOnce);
    const outputs =
      pack === 1 ? await trainer.predict(instances.inputs(part)) : await predictByAll(instances, trainer, part);
    probabilities.set(outputs, from * classes);
  }
  return probabilities;
}

/** The mean of what all networks of a pack make of the same instances, as many as one call takes. */
async function predictByAll(instances: Instances, trainer: Trainer, part: Int32Array): Promise<Float32Array> {
  const { classes, pack, evaluationBatch } = trainer.program;
  const each = evaluationBatch / pack;
  const repeated = Int32Array.from({ length: evaluationBatch }, (_, i) => part[i % each] ?? int32At(part, 0));
  const outputs = await trainer.predict(instances.inputs(repeated));
  const mean = new Float32Array(part.length * classes);
  for (let i = 0; i < mean.length; i++) {
    let sum = 0;
    for (let network = 0; network < pack; network++) sum += float32At(outputs, network * each * classes + i);
    mean[i] = sum / pack;
  }
  return mean;
}
