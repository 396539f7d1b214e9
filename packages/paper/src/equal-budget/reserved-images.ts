import { type ImageDataset, splitDataset } from 'evenhand/data';

/** Images of every class that choices are made by. They never train, and the test images are not looked at for any choice. */
export const RESERVED_PER_CLASS = 200;

/** Which ones they are: the same for all draws. */
const RESERVED_SEED = 2208;

/** A data set some of whose training images are tested together with its test images. */
export interface ReservedImages {
  readonly dataset: ImageDataset;
  /** The instances that were training images. */
  readonly reserved: ReadonlySet<number>;
}

/** Takes images out of the training part, which long tails are drawn from afterwards, and puts them beside the test images. */
export function reserveImages(dataset: ImageDataset, perClass = RESERVED_PER_CLASS): ReservedImages {
  const { validation, test } = splitDataset(dataset, { seed: RESERVED_SEED, validationPerClass: perClass });
  const officialTest = Int32Array.from([...test, ...validation]);
  return { dataset: { ...dataset, officialTest }, reserved: new Set(validation) };
}
