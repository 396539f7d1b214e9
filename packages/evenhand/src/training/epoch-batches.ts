import { seededRandom, seedInPack, splitIntoBatches } from '@evenhand/engine';
import { at, int32At } from '../checked-access.js';
import { epochOrder } from '../methods/epoch-order.js';
import type { Sampling } from '../methods/method.js';
import { effectiveBatchSize } from './batch-size.js';
import type { RowsOfNetworks } from './rows-of-networks.js';

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
  /** The batches of an epoch, as indices of the instances: a function of the seed and the epoch, and of nothing else. */
  of(epoch: number): Int32Array[];
}

interface BatchOptions {
  readonly seed: number;
  readonly batchSize: number;
  readonly sampling?: Sampling | undefined;
  /** The first epoch in which held-out instances train too. @defaultValue none */
  readonly giveBackFrom?: number | undefined;
}

/** Every row comes at least once: of a rare class each one counts. */
export function epochBatches(labels: Int32Array, rows: RowsOfNetworks, options: BatchOptions): EpochBatches {
  const { giveBackFrom = Number.POSITIVE_INFINITY } = options;
  const before = equalEpochs(labels, rows.rows, options);
  if (rows.withHeldOut === undefined) return before;
  // What a step computes is made for one size of batches.
  const after = equalEpochs(labels, rows.withHeldOut, { ...options, batchSize: before.batchSize });
  const during = (epoch: number) => (epoch < giveBackFrom ? before : after);
  return {
    ...after,
    stepsIn: (epoch) => during(epoch).stepsPerEpoch,
    of: (epoch) => during(epoch).of(epoch),
  };
}

/** Epochs that all go through the same rows, of each network its own. */
function equalEpochs(
  labels: Int32Array,
  rowsOf: readonly Int32Array[],
  { seed, batchSize: asked, sampling = 'natural' }: BatchOptions,
): EpochBatches {
  const networks = rowsOf.length;
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

/** Folds differ by an instance or two, and resampled ones by more: the shorter orders begin again. */
function repeatedTo(order: Int32Array, length: number): Int32Array {
  if (order.length === length) return order;
  return Int32Array.from({ length }, (_, i) => int32At(order, i % order.length));
}
