import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, writeError } from './file-error.js';

/** What {@link writeAtomically} calls its unfinished files. */
const TEMPORARY = /\.\d+-\d+\.tmp$/;

let written = 0;

/**
 * Writes a file so that at every moment, even if the process is killed or the power fails, either the old or the new
 * content is there, whole: to a temporary name beside it, to the disk, and then renamed.
 *
 * @param keepAs - where the old file goes. Between the two renames only this one is there.
 * @throws {@link UserError} if the disk is full or the folder cannot be written; the old file is as it was
 */
export async function writeAtomically(path: string, data: string | Uint8Array, keepAs?: string): Promise<void> {
  const temporary = `${path}.${process.pid}-${written++}.tmp`;
  try {
    await writeThrough(temporary, data);
    if (keepAs !== undefined) await renameIfThere(path, keepAs);
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined); // the first error is the one to tell
    throw writeError(path, error);
  }
}

/** Removes what a killed process left unfinished. Only for the one who may write in this folder. */
export async function removeTemporaryFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => TEMPORARY.test(name));
  for (const name of names) await rm(join(folder, name), { force: true });
}

/** Whether a file of this name is only a leftover of {@link writeAtomically}. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

async function writeThrough(path: string, data: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** A rename is on the disk when its folder is. Windows cannot do that, and does not need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
