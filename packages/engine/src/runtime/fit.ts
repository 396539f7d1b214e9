import { at } from '../checked-access.js';
import type { Shape } from '../graph/tensor.js';
import { sizeOf } from '../graph/tensor.js';
import { seedInPack } from '../network/network.js';
import { seededRandom, shuffled } from '../network/random.js';
import type { Schedule } from '../schedules/schedule.js';
import { checkCount } from '../schedules/schedule.js';
import { splitIntoBatches } from '../training/batches.js';
import type { FeedEntry, Program } from '../training/program.js';
import { FeedError } from './errors.js';
import { checkArray, countRows } from './feeds.js';
import type { Feeds, Training } from './training.js';

/** Steps that are sent at once: enough that small networks gain from it, and not a whole epoch's memory. */
const STEPS_AT_ONCE = 16;

/** Instances to train on. */
export interface FitData {
  /** The inputs, one after the other, of the type that the program takes. */
  readonly inputs: Float32Array | Uint8Array;
  /** A class for each input, or, where the program was created with `labels: 'rows'`, a row of targets for each. */
  readonly labels: Int32Array | Float32Array;
}

/** What has become of an epoch. */
export interface EpochResult {
  /** From 0. */
  readonly epoch: number;
  /** The mean of its steps' losses. */
  readonly loss: number;
}

/** How {@link fit} trains. */
export interface FitOptions {
  readonly epochs: number;
  /** One for all steps, or a schedule: a function of the step, from 0. */
  readonly learningRate: number | Schedule;
  /** Decides the order of the instances in every epoch; null leaves them as they are. */
  readonly shuffleSeed: number | null;
  /** Where this call begins, to go on after another: steps and orders are counted on. @defaultValue 0 */
  readonly firstEpoch?: number;
  /** What the program is fed besides, for the steps of an epoch: `generator`, `classWeights`. */
  readonly feeds?: (epoch: number) => Feeds | Promise<Feeds>;
  /** Is told of every epoch, and waited for: validation belongs here. */
  readonly onEpoch?: (result: EpochResult) => void | Promise<void>;
  /**
   * What becomes of an epoch's last batch if it is not full: by `pad` it is filled up with the first instances of the epoch, so that
   * every instance is trained on. @defaultValue `pad`
   */
  readonly incomplete?: 'drop' | 'pad';
}

/**
 * Trains for some epochs: shuffles, cuts into batches, and steps.
 *
 * @example
 * ```ts
 * const trainer = await Trainer.start(program);
 * await fit(trainer, { inputs, labels }, { epochs: 20, learningRate: 0.01, shuffleSeed: 1 });
 * ```
 *
 * @returns every epoch's loss
 * @throws {@link FeedError} for data that do not fit the program; nothing has run
 */
export async function fit(training: Training, data: FitData, options: FitOptions): Promise<readonly EpochResult[]> {
  const {
    epochs,
    learningRate,
    shuffleSeed,
    firstEpoch = 0,
    feeds = () => ({}),
    onEpoch,
    incomplete = 'pad',
  } = options;
  checkCount('epochs', epochs);
  checkCount('firstEpoch', firstEpoch);
  const { program } = training;
  const rows = checkData(program, data);
  const labelFeed = labelFeedOf(program);
  const rate = typeof learningRate === 'number' ? () => learningRate : learningRate;
  const results: EpochResult[] = [];
  for (let epoch = firstEpoch; epoch < firstEpoch + epochs; epoch++) {
    const batches = batchesOf(program, rows, shuffleSeed, epoch, incomplete);
    if (batches.length === 0) {
      throw new FeedError(
        `${rows} rows do not fill a batch of ${program.batchSize}; expected more of them, or incomplete: 'pad'`,
      );
    }
    const more = await feeds(epoch);
    let sum = 0;
    for (let start = 0; start < batches.length; start += STEPS_AT_ONCE) {
      const steps = batches.slice(start, start + STEPS_AT_ONCE).map((batch, i) => {
        const step = epoch * batches.length + start + i;
        return {
          input: rowsAt(data.inputs, sizeOfRow(program.input.shape), batch),
          [labelFeed.name]: rowsAt(data.labels, sizeOfRow(labelFeed.shape), batch),
          learningRate: rate(step),
          step,
          ...more,
        };
      });
      for (const loss of await training.steps(steps)) sum += loss;
    }
    const result = { epoch, loss: sum / batches.length };
    results.push(result);
    await onEpoch?.(result);
  }
  return results;
}

/** How many rows there are, if inputs and labels agree. */
function checkData(program: Program, { inputs, labels }: FitData): number {
  const rows = countRows(program.input, inputs, 'the inputs');
  if (rows === 0) throw new FeedError('there are no rows to train on');
  const entry = labelFeedOf(program);
  checkArray(entry, labels);
  const expected = rows * sizeOfRow(entry.shape);
  if (labels.length !== expected) {
    const each = entry.name === 'labels' ? 'one' : `${program.classes} numbers`;
    throw new FeedError(
      `the labels have ${labels.length} values; expected ${expected}, ${each} for each of ${rows} rows`,
    );
  }
  return rows;
}

function labelFeedOf({ feeds }: Program): FeedEntry {
  const found = feeds.find(({ name }) => name === 'labels' || name === 'labelRows');
  if (found === undefined) throw new Error('internal: a program has a feed for labels');
  return found;
}

/** The rows of every step; in a pack, each network goes through them in an order of its own. */
function batchesOf(
  { batchSize, pack }: Program,
  rows: number,
  seed: number | null,
  epoch: number,
  incomplete: 'pad' | 'drop',
): Int32Array[] {
  const ofEach = Array.from({ length: pack }, (_, network) => {
    const order = orderOf(rows, seed === null ? null : seedInPack(seed, network), epoch);
    return splitIntoBatches(order, batchSize, { incomplete });
  });
  return at(ofEach, 0).map((_, step) => Int32Array.from(ofEach.flatMap((batches) => Array.from(at(batches, step)))));
}

function orderOf(rows: number, seed: number | null, epoch: number): Int32Array {
  const order = Int32Array.from({ length: rows }, (_, i) => i);
  return seed === null ? order : shuffled(order, seededRandom(seed, `epoch ${epoch}`));
}

function sizeOfRow(shape: Shape): number {
  return sizeOf(shape.slice(1));
}

function rowsAt(data: FitData['inputs' | 'labels'], size: number, places: Int32Array): FitData['inputs' | 'labels'] {
  const length = size * places.length;
  const rows =
    data instanceof Float32Array
      ? new Float32Array(length)
      : data instanceof Int32Array
        ? new Int32Array(length)
        : new Uint8Array(length);
  places.forEach((place, i) => {
    rows.set(data.subarray(place * size, (place + 1) * size), i * size);
  });
  return rows;
}
