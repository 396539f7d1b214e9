import { createHash } from 'node:crypto';
import { at } from '../checked-access.js';
import type { EpochLabels, EpochSteps, PreparedMethod } from '../methods/method.js';
import { type EpochGenerator, readGenerators } from '../runs/generator-file.js';
import { UserError } from '../user-error.js';

/** The labels of training that is over, epoch by epoch, as steps of a method that measures nothing. */
export interface ReplayedLabels extends EpochSteps {
  /** Hash of the labels: what it remembers, so that a checkpoint says which labels it was trained with. */
  toJSON(): string;
}

/** Whether the labels of a method depend on what it measures, and not on the epoch alone. */
export function remembersMeasurements(method: PreparedMethod): boolean {
  return method.toJSON() !== null;
}

/**
 * The labels that the first epochs of a run were trained with. They are computed again where a method needs only the epoch for them, and
 * else read from `generator.jsonl`, whose numbers are exact.
 *
 * @throws {@link UserError} if the file does not have them any more
 */
export async function replayedLabels(folder: string, method: PreparedMethod, epochs: number): Promise<ReplayedLabels> {
  const labels = remembersMeasurements(method)
    ? await storedLabels(folder, epochs)
    : Array.from({ length: epochs }, (_, epoch) => method.currentLabels(epoch));
  const hash = createHash('sha256');
  for (const { generator, classWeights, logitOffsets = new Float32Array() } of labels) {
    hash.update(generator).update(classWeights).update(logitOffsets);
  }
  const digest = hash.digest('hex');
  const labelsOf = (epoch: number) => at(labels, epoch);
  return {
    beforeEpoch: labelsOf,
    currentLabels: labelsOf,
    toJSON: () => digest,
    restore: (saved) => {
      if (saved !== digest) throw new Error('internal: a refit goes on with other labels than it began with');
    },
  };
}

async function storedLabels(folder: string, epochs: number): Promise<EpochLabels[]> {
  const lines = await readGenerators(folder);
  return Array.from({ length: epochs }, (_, epoch) => {
    const line = lines.find((one) => one.epoch === epoch);
    if (line !== undefined && 'generator' in line) return wholeLabels(line);
    throw new UserError(
      `${folder} cannot be refitted: generator.jsonl does not have the whole matrix of epoch ${epoch}; restore it, or start a new run`,
    );
  });
}

/** Whatever else labels may consist of has to be in the file as well. */
function wholeLabels({
  generator,
  classWeights,
  logitOffsets,
}: Extract<EpochGenerator, { generator: unknown }>): EpochLabels {
  return {
    generator: Float32Array.from(generator.flat()),
    classWeights: Float32Array.from(classWeights),
    ...(logitOffsets && { logitOffsets: Float32Array.from(logitOffsets.flat()) }),
  };
}
