import { type Normalisation, seedInPack } from '@evenhand/engine';
import type { Dataset, ImageDataset, TableDataset } from '../dataset/dataset.js';
import { allInstances } from '../dataset/instances.js';
import { applyTablePreprocessing } from '../preprocessing/apply-table.js';
import { type AugmentationOptions, augment, type BatchPosition } from '../preprocessing/augmentation.js';
import { fitTablePreprocessing } from '../preprocessing/fit-table.js';
import { imageNormalisation } from '../preprocessing/image-normalisation.js';
import type { ImagePreprocessing, TablePreprocessing } from '../preprocessing/preprocessing.js';
import { discreteFeatures, networkInput } from '../preprocessing/table-features.js';
import { UserError } from '../user-error.js';
import { type MixedBatch, mixedInputs } from './mixing.js';

/** The network's inputs, instance after instance. */
type Values = Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** A data set's instances as the network takes them. */
export type Instances = TableInstances | ImageInstances;

interface InstancesBase {
  /** Of one instance. */
  readonly shape: readonly number[];
  readonly labels: Int32Array;
  /** The inputs of some instances, by their indices in the data set. */
  inputs(chosen: Int32Array): Values;
  /** The same, varied as the configuration wants it for training. */
  trainingInputs(chosen: Int32Array, position: BatchPosition): Values;
  /** The same for instances that are mixed with others. */
  mixedInputs(mixed: MixedBatch, position: BatchPosition): Values;
}

export interface TableInstances extends InstancesBase {
  readonly kind: 'table';
  inputs(chosen: Int32Array): Float32Array<ArrayBuffer>;
  readonly preprocessing: TablePreprocessing;
  /** How many codes each of the last features has. */
  readonly categories: readonly number[];
  /** Features between two values of which there is nothing: truth values, flags, codes of categories. Ascending. */
  readonly discrete: readonly number[];
  /** These instances, and behind them others that are in no data set. */
  followedBy(made: readonly MadeRows[]): TableInstances;
}

/** Rows that are in no data set, as a network takes them. */
export interface MadeRows {
  /** `[rows, features]` */
  readonly features: Float32Array;
  readonly labels: Int32Array;
}

interface ImageInstances extends InstancesBase {
  readonly kind: 'images';
  readonly preprocessing: ImagePreprocessing;
  readonly normalisation: Normalisation;
}

/**
 * Fits the preprocessing of a data set.
 *
 * @param training - the instances that it may look at
 * @throws {@link UserError} for a table that is to be augmented
 */
export function prepareInstances(
  dataset: Dataset,
  training: Int32Array,
  augmentation: AugmentationOptions | undefined,
): Instances {
  if (dataset.kind === 'images') return imageInstances(dataset, training, augmentation);
  if (augmentation === undefined) return tableInstances(dataset, training);
  throw new UserError(`augmentation is for images, and ${dataset.name} is a table; leave it out`, {
    options: ['augmentation'],
  });
}

function tableInstances(dataset: TableDataset, training: Int32Array): TableInstances {
  const preprocessing = fitTablePreprocessing(dataset, training);
  const all = applyTablePreprocessing(preprocessing, dataset.columns, allInstances(dataset));
  return tableInstancesOf(preprocessing, all, dataset.labels);
}

/** @param all - `[instances, features]` */
function tableInstancesOf(
  preprocessing: TablePreprocessing,
  all: Float32Array<ArrayBuffer>,
  labels: Int32Array,
): TableInstances {
  const { features, categories } = networkInput(preprocessing);
  const discrete = discreteFeatures(preprocessing);
  const inputs = (chosen: Int32Array) => gathered(all, new Float32Array(chosen.length * features), chosen, features);
  return {
    kind: 'table',
    preprocessing,
    categories,
    discrete,
    shape: [features],
    labels,
    inputs,
    trainingInputs: inputs,
    mixedInputs: ({ batch, partners, shares }) => mixedInputs(inputs(batch), inputs(partners), shares, discrete),
    followedBy: (made) => {
      const count = made.reduce((sum, rows) => sum + rows.labels.length, labels.length);
      const [moreRows, moreLabels] = [new Float32Array(count * features), new Int32Array(count)];
      let next = 0;
      for (const part of [{ features: all, labels }, ...made]) {
        moreRows.set(part.features, next * features);
        moreLabels.set(part.labels, next);
        next += part.labels.length;
      }
      return tableInstancesOf(preprocessing, moreRows, moreLabels);
    },
  };
}

function imageInstances(
  dataset: ImageDataset,
  training: Int32Array,
  augmentation: AugmentationOptions | undefined,
): ImageInstances {
  const { shape, labels, pixels } = dataset;
  const size = shape[0] * shape[1] * shape[2];
  const inputs = (chosen: Int32Array) => gathered(pixels, new Uint8Array(chosen.length * size), chosen, size);
  const trainingInputs = (chosen: Int32Array, position: BatchPosition) =>
    augmentation === undefined ? inputs(chosen) : augment(inputs(chosen), shape, augmentation, position);
  return {
    kind: 'images',
    preprocessing: { kind: 'images', version: 1, shape, resize: 'cover' },
    normalisation: imageNormalisation(dataset, training),
    shape,
    labels,
    inputs,
    trainingInputs,
    // Partners are varied in another way than the instances of the batch: as if they were of another network.
    mixedInputs: ({ batch, partners, shares }, position) =>
      mixedInputs(
        trainingInputs(batch, position),
        trainingInputs(partners, { ...position, seed: seedInPack(position.seed, 1) }),
        shares,
        [],
      ),
  };
}

function gathered<Rows extends Float32Array | Uint8Array>(
  from: Rows,
  into: Rows,
  chosen: Int32Array,
  size: number,
): Rows {
  for (const [i, instance] of chosen.entries())
    into.set(from.subarray(instance * size, (instance + 1) * size), i * size);
  return into;
}
