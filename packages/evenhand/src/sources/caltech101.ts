import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageDataset } from '../dataset/dataset.js';
import { UserError } from '../user-error.js';
import { dataFolder } from './data-folder.js';
import { type ImageFolderOptions, readImageFolder } from './image-folder.js';

/** Where its class folders may be: as the original archive has them, or without its outer folders. */
const FOLDERS = [join('caltech-101', '101_ObjectCategories'), '101_ObjectCategories', 'caltech-101'];

/**
 * Caltech 101 (Fei-Fei, Fergus, Perona 2004): photographs of 101 kinds of things, without the folder of background images.
 * Read from the data folder as an image folder; the paper's experiment uses size 224.
 */
export async function readCaltech101(
  options: Pick<ImageFolderOptions, 'size' | 'onProgress'> = {},
  folder: string = dataFolder(),
): Promise<ImageDataset> {
  const images = await readImageFolder(caltech101Folder(folder), { ...options, exclude: ['BACKGROUND_Google'] });
  return { ...images, name: 'caltech101' };
}

/**
 * Where its class folders are.
 *
 * @throws {@link UserError} if they are not there, with how to get them
 */
export function caltech101Folder(folder: string = dataFolder()): string {
  const classFolders = FOLDERS.map((name) => join(folder, name)).find((path) => existsSync(join(path, 'accordion')));
  if (classFolders !== undefined) return classFolders;
  throw new UserError(
    `Caltech 101 is not in ${folder}. Download caltech-101.zip from https://doi.org/10.22002/D1.20086, unpack it and the ` +
      `101_ObjectCategories.tar.gz inside, and move the folder 101_ObjectCategories (with accordion, airplanes, … in it) to ` +
      `${join(folder, '101_ObjectCategories')}.`,
  );
}
