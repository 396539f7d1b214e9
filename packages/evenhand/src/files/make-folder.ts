import { mkdir, rmdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UserError } from '../user-error.js';
import { syncFolder } from './atomic-file.js';
import { writeError } from './file-error.js';

/** Takes away the folders that were made, from the innermost on, as far as nobody uses them. */
export type RemoveMade = () => Promise<void>;

/**
 * Makes a folder, and those above it that are missing.
 *
 * @throws {@link UserError} if it cannot be made
 */
export async function makeFolder(path: string): Promise<RemoveMade> {
  if (path === '') throw new UserError('the name of a folder is empty; expected a path, such as runs/first');
  const made: string[] = [];
  try {
    const outermost = await mkdir(path, { recursive: true });
    if (outermost !== undefined) made.push(...foldersFrom(path, resolve(outermost)));
    for (const folder of made) await syncFolder(dirname(folder));
  } catch (error) {
    throw writeError(path, error);
  }
  return async () => {
    for (const folder of made) await rmdir(folder).catch(() => undefined);
  };
}

/** A folder and those above it, up to the outermost. */
function foldersFrom(path: string, outermost: string): string[] {
  const folders: string[] = [];
  for (let folder = resolve(path); folder.length >= outermost.length; folder = dirname(folder)) folders.push(folder);
  return folders;
}
