import type { Config } from 'evenhand/config';
import { type ImageDataset, splitDataset } from 'evenhand/data';
import { at } from '../checked-access.js';

type DataConfig = Config['data'];

/** A data set without the table's own test images, in which some of the training images are tested in their place. */
export interface HeldOutImages {
  readonly dataset: ImageDataset;
  /** How the rest of the training images is used: as in the table, but that they are chosen already. */
  readonly data: DataConfig;
}

/**
 * Takes a share of every class out of the images that a table trains on, its imbalance included, to choose recipes, ε and μ by: neither training
 * nor the method sees them, and the table's test images are left out altogether.
 *
 * @param share - of each class
 * @param draw - which ones
 */
export function holdOut(dataset: ImageDataset, data: DataConfig, share: number, draw: number): HeldOutImages {
  const { imbalance, testPerClass, testShare, splitSeed, ...rest } = data;
  const { training } = splitDataset(dataset, {
    seed: splitSeed,
    heldOut: false,
    ...(imbalance === undefined ? {} : { imbalance }),
    ...(testPerClass === undefined ? {} : { testPerClass }),
    ...(testShare === undefined ? {} : { testShare }),
  });
  const { officialTest, ...own } = imagesOf(dataset, training);
  const { test } = splitDataset(own, { seed: draw, testShare: share, heldOut: false });
  return { dataset: { ...own, officialTest: test }, data: { ...rest, splitSeed: draw } };
}

/** Some of the images, in their order. */
function imagesOf(dataset: ImageDataset, instances: Int32Array): ImageDataset {
  const { labels, pixels, files } = dataset;
  const size = pixels.length / labels.length;
  const chosen = new Uint8Array(instances.length * size);
  for (const [i, instance] of instances.entries()) {
    chosen.set(pixels.subarray(instance * size, (instance + 1) * size), i * size);
  }
  return {
    ...dataset,
    labels: instances.map((instance) => at(labels, instance)),
    pixels: chosen,
    ...(files === undefined ? {} : { files: Array.from(instances, (instance) => at(files, instance)) }),
  };
}
