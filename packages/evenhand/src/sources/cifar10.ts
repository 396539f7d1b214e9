import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { uint8At } from '../checked-access.js';
import type { ImageDataset } from '../dataset/dataset.js';
import { readFileIfThere } from '../files/read-file.js';
import { imageContentHash } from '../images/content-hash.js';
import { toPlanes } from '../images/decode-image.js';
import { UserError } from '../user-error.js';
import { dataFolder } from './data-folder.js';
import { originalFileProblem } from './original-file.js';

/** Where the data folder has CIFAR-10. */
export const CIFAR10_FOLDER = 'cifar-10-batches-bin';

/** Images in each of its files. */
export const CIFAR10_BATCH = 10_000;

/** Bytes of an image: three planes of 32 × 32, red, green and blue. In the files, its label stands before it. */
export const CIFAR10_IMAGE = 3 * 32 * 32;
const SHAPE = [3, 32, 32] as const;
const RECORD = 1 + CIFAR10_IMAGE;

/** Its files, the one for testing last, with the SHA-256 of the original ones. */
export const CIFAR10_FILES = [
  { file: 'data_batch_1.bin', sha256: 'cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5' },
  { file: 'data_batch_2.bin', sha256: 'a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed' },
  { file: 'data_batch_3.bin', sha256: 'bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67' },
  { file: 'data_batch_4.bin', sha256: '014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48' },
  { file: 'data_batch_5.bin', sha256: '755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add' },
  { file: 'test_batch.bin', sha256: '8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b' },
] as const;

const CLASS_NAMES = ['airplane', 'automobile', 'bird', 'cat', 'deer', 'dog', 'frog', 'horse', 'ship', 'truck'];

/**
 * CIFAR-10 (Krizhevsky 2009): 60,000 colour images of 32 × 32, the 10,000 for testing last. Read from the original binary
 * files in the folder `cifar-10-batches-bin` of the data folder; `fetchDataset('cifar10')` puts them there.
 */
export async function readCifar10(folder: string = dataFolder()): Promise<ImageDataset> {
  const own = join(folder, CIFAR10_FOLDER);
  if (!existsSync(own)) throw new UserError(`CIFAR-10 is not in ${own}. ${howToGetCifar10(own)}`);
  const instances = CIFAR10_FILES.length * CIFAR10_BATCH;
  const pixels = new Uint8Array(instances * CIFAR10_IMAGE);
  const labels = new Int32Array(instances);
  // One after the other: together they would take the memory of the whole data set again.
  let instance = 0;
  for (const original of CIFAR10_FILES) {
    const file = join(own, original.file);
    const records = (await readFileIfThere(file)) ?? Buffer.alloc(0);
    const problem = originalFileProblem(original, records);
    if (problem !== undefined) {
      throw new UserError(`${file} is missing, damaged or another file: ${problem}. ${howToGetCifar10(own)}`);
    }
    for (let record = 0; record < records.length; record += RECORD) {
      labels[instance] = uint8At(records, record);
      pixels.set(records.subarray(record + 1, record + RECORD), instance * CIFAR10_IMAGE);
      instance++;
    }
  }
  const content = { classNames: CLASS_NAMES, labels, shape: SHAPE, pixels } as const;
  return {
    kind: 'images',
    name: 'cifar10',
    ...content,
    contentHash: imageContentHash(content),
    officialTest: Int32Array.from({ length: CIFAR10_BATCH }, (_, i) => instances - CIFAR10_BATCH + i),
    notes: [],
  };
}

/** The content of a file with these labels and as many images, which are given as rows of RGBRGB…, one row per image. */
export function cifar10Records(labels: readonly number[], rows: Uint8Array): Uint8Array {
  const records = new Uint8Array(labels.length * RECORD);
  for (const [i, label] of labels.entries()) {
    records[i * RECORD] = label;
    records.set(toPlanes(rows.subarray(i * CIFAR10_IMAGE, (i + 1) * CIFAR10_IMAGE), SHAPE), i * RECORD + 1);
  }
  return records;
}

function howToGetCifar10(folder: string): string {
  return (
    `Call fetchDataset('cifar10'), or download "CIFAR-10 binary version" from https://www.cs.toronto.edu/~kriz/cifar.html ` +
    `and put its six .bin files into ${folder}.`
  );
}
