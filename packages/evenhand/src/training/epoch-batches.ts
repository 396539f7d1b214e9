import { seededRandom, seedInPack, splitIntoBatches } from '@evenhand/engine';
import { at, int32At } from '../checked-access.js';
import { epochOrder } from '../methods/epoch-order.js';
import type { Sampling } from '../methods/method.js';
import type { Split } from '../splits/split-dataset.js';
import { effectiveBatchSize } from './batch-size.js';

/** How an epoch goes through the training instances. */
export interface EpochBatches {
  /** Instances of a step, of each network. */
  readonly batchSize: number;
  /** Of the longest epoch. Steps are counted as if all were as long. */
  readonly stepsPerEpoch: number;
  /** Instances that a network sees in the longest epoch. */
  readonly inEpoch: number;
  /** The steps of an epoch. */
  stepsIn(epoch: number): number;
  /** The batches of an epoch, as indices of the data set: a function of the seed and the epoch, and of nothing else. */
  of(epoch: number): Int32Array[];
}

interface BatchOptions {
  readonly seed: number;
  readonly batchSize: number;
  readonly sampling?: Sampling | undefined;
  /** The first epoch in which the validation instances train too. @defaultValue none */
  readonly giveBackFrom?: number | undefined;
  /** Whether each network of a pack goes through the folds but its own; else through all. @defaultValue true */
  readonly leaveOutFolds?: boolean;
}

/** Every instance comes at least once: of a rare class each one counts. With folds each network goes through those outside its own. */
export function epochBatches(labels: Int32Array, split: Split, options: BatchOptions): EpochBatches {
  const { giveBackFrom = Number.POSITIVE_INFINITY } = options;
  if (giveBackFrom === Number.POSITIVE_INFINITY || split.validation.length === 0) {
    return equalEpochs(labels, split, options);
  }
  const all = Int32Array.from([...split.training, ...split.validation]).sort();
  const before = equalEpochs(labels, split, options);
  // What a step computes is made for one size of batches.
  const after = equalEpochs(labels, { training: all }, { ...options, batchSize: before.batchSize });
  const during = (epoch: number) => (epoch < giveBackFrom ? before : after);
  return {
    ...after,
    stepsIn: (epoch) => during(epoch).stepsPerEpoch,
    of: (epoch) => during(epoch).of(epoch),
  };
}

/** Epochs that all go through the same instances. */
function equalEpochs(
  labels: Int32Array,
  { training, folds }: Pick<Split, 'training' | 'folds'>,
  { seed, batchSize: asked, sampling = 'natural', leaveOutFolds = true }: BatchOptions,
): EpochBatches {
  const networks = folds === undefined ? 1 : Math.max(...folds) + 1;
  const rowsOf = Array.from({ length: networks }, (_, network) =>
    folds === undefined || !leaveOutFolds ? training : training.filter((_, row) => folds[row] !== network),
  );
  const labelsOf = rowsOf.map((rows) => rows.map((instance) => int32At(labels, instance)));
  const order = (network: number, epoch: number) => {
    const random = seededRandom(seedInPack(seed, network), `order/${epoch}`);
    const rows = at(rowsOf, network);
    return epochOrder(at(labelsOf, network), sampling, random).map((i) => int32At(rows, i));
  };
  const lengths = rowsOf.map((_, network) => order(network, 0).length);
  const inEpoch = Math.max(...lengths);
  const batchSize = effectiveBatchSize(asked, inEpoch);
  const stepsPerEpoch = Math.ceil(inEpoch / batchSize);
  return {
    batchSize,
    stepsPerEpoch,
    inEpoch,
    stepsIn: () => stepsPerEpoch,
    of: (epoch) => {
      const ofEach = rowsOf.map((_, network) =>
        splitIntoBatches(repeatedTo(order(network, epoch), inEpoch), batchSize, { incomplete: 'pad' }),
      );
      if (networks === 1) return at(ofEach, 0);
      return Array.from({ length: stepsPerEpoch }, (_, step) => {
        const batch = new Int32Array(networks * batchSize);
        for (const [network, batches] of ofEach.entries()) batch.set(at(batches, step), network * batchSize);
        return batch;
      });
    },
  };
}

/** Folds differ by an instance or two: the shorter orders begin again. */
function repeatedTo(order: Int32Array, length: number): Int32Array {
  if (order.length === length) return order;
  return Int32Array.from({ length }, (_, i) => int32At(order, i % order.length));
}
