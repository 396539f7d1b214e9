import { mkdir, rmdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { writeError } from './file-error.js';

/** Takes away the folders that were made, from the innermost on, as far as nobody uses them. */
export type RemoveMade = () => Promise<void>;

/**
 * Makes a folder, and those above it that are missing.
 *
 * @throws {@link UserError} if it cannot be made
 */
export async function makeFolder(path: string): Promise<RemoveMade> {
  const made = await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw writeError(path, error);
  });
  return async () => {
    if (made === undefined) return;
    const outermost = resolve(made);
    for (let folder = resolve(path); folder.length >= outermost.length; folder = dirname(folder)) {
      await rmdir(folder).catch(() => undefined);
    }
  };
}
