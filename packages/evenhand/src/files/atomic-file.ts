import type { Stats } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, writeError } from './file-error.js';

/** What {@link writeAtomically} calls its unfinished files. */
const TEMPORARY = /\.\d+-\d+\.tmp$/;

/** Of the name that a file will have; a temporary one must not become too long. */
const NAME_KEPT = 60;

let made = 0;

/** A name for an unfinished file beside the one that it will become. */
export function temporaryName(path: string): string {
  return join(dirname(path), `${basename(path).slice(0, NAME_KEPT)}.${process.pid}-${made++}.tmp`);
}

/** What {@link writeAtomically} does beside writing. */
export interface AtomicOptions {
  /** Where the old file goes. Between the two renames only this one is there. */
  readonly keepAs?: string;
  /** The file whose permissions and, where this user may, owner the new one gets. */
  readonly like?: Stats;
}

/** What is written: all at once, or part by part. */
type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a file so that at every moment, even if the process is killed or the power fails, either the old or the new
 * content is there, whole: to a temporary name beside it, to the disk, and then renamed.
 *
 * @throws {@link UserError} if the disk is full or the folder cannot be written; the old file is as it was
 */
export async function writeAtomically(
  path: string,
  data: FileContent,
  { keepAs, like }: AtomicOptions = {},
): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await writeThrough(temporary, data, like);
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

async function writeThrough(path: string, data: FileContent, like: Stats | undefined): Promise<void> {
  const file = await open(path, 'wx');
  try {
    if (like !== undefined) await makeLike(file, like);
    if (typeof data === 'string' || data instanceof Uint8Array) await file.writeFile(data);
    else for await (const part of data) await file.writeFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function makeLike(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  await file.chown(uid, gid).catch(() => undefined); // only root may give files away
  await file.chmod(mode & 0o777);
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** A rename is on the disk when its folder is. Windows cannot do that, and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
