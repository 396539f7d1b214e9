import { mkdir, rmdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UserError } from '../user-error.js';
import { syncFolder } from './atomic-file.js';
import { writeError } from './file-error.js';
import { isFolder } from './is-folder.js';

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
  const removeMade = async () => {
    for (const folder of made) await rmdir(folder).catch(() => undefined);
  };
  try {
    await make(resolve(path), made);
    for (const folder of made) await syncFolder(dirname(folder));
  } catch (error) {
    await removeMade();
    throw writeError(path, error);
  }
  return removeMade;
}

/** One by one: asked for all of them at once, Node says of a read-only file system that something is not there. */
async function make(path: string, made: string[]): Promise<void> {
  if (isFolder(path)) return;
  if (dirname(path) !== path) await make(dirname(path), made);
  try {
    await mkdir(path);
    made.unshift(path);
  } catch (error) {
    if (!isFolder(path)) throw error; // another process may have been faster
  }
}
