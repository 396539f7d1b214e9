import { constants } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isTemporary, syncFolder } from '../files/atomic-file.js';
import { errorCode, writeError } from '../files/file-error.js';
import { isOfLock } from '../files/folder-lock.js';
import { makeFolder } from '../files/make-folder.js';
import { walkFolder } from '../files/walk-folder.js';
import { RUN_FILES } from '../runs/run-files.js';
import type { BlobStore } from '../store/blob-store.js';
import { downloadFolder, manifestOf, readManifest, uploadFolder } from '../store/manifest.js';

/** Where the blobs of a job are. */
export function runPrefix(job: string): string {
  return `runs/${job}`;
}

/**
 * Puts a run folder that nobody writes into into a store.
 *
 * @returns the hash of its manifest
 */
export async function uploadRun(store: BlobStore, job: string, folder: string): Promise<string> {
  return uploadFolder(store, runPrefix(job), folder, await manifestOf(folder, await runFilesIn(folder)));
}

/**
 * Puts a run folder into a store while it is being trained in.
 *
 * @param scratch - a folder for a copy, which is removed
 * @returns the hash of its manifest
 */
export async function uploadGrowingRun(
  store: BlobStore,
  job: string,
  folder: string,
  scratch: string,
): Promise<string> {
  try {
    await copyGrowing(folder, scratch);
    return await uploadRun(store, job, scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Puts a run from a store into a folder that is not there. */
export async function downloadRun(store: BlobStore, job: string, hash: string, folder: string): Promise<void> {
  const manifest = await readManifest(store, runPrefix(job), hash);
  await downloadFolder(store, runPrefix(job), manifest, folder);
  await makeFolder(join(folder, RUN_FILES.checkpoints));
}

/**
 * Puts a run from a store where an earlier state of it may be. At every moment the folder is the earlier run, the new one, or
 * not there; then whoever was killed gets it once more.
 */
export async function replaceRun(store: BlobStore, job: string, hash: string, folder: string): Promise<void> {
  const incoming = `${folder}.incoming`;
  await rm(incoming, { recursive: true, force: true });
  await makeFolder(dirname(folder));
  try {
    await downloadRun(store, job, hash, incoming);
    await rm(folder, { recursive: true, force: true });
    await rename(incoming, folder);
    await syncFolder(dirname(folder));
  } catch (error) {
    await rm(incoming, { recursive: true, force: true }).catch(() => undefined);
    throw writeError(folder, error);
  }
}

async function runFilesIn(folder: string): Promise<string[]> {
  const { files } = await walkFolder(folder);
  return files.filter((path) => !isOfLock(basename(path)) && !isTemporary(basename(path)));
}

/**
 * Checkpoints come first: lines that are newer than the checkpoint are cut off when the run goes on, and missing ones would be
 * missed.
 */
async function copyGrowing(folder: string, copy: string): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  const isCheckpoint = (path: string) => path.split('/').includes(RUN_FILES.checkpoints);
  const files = await runFilesIn(folder);
  for (const path of [...files.filter(isCheckpoint), ...files.filter((path) => !isCheckpoint(path))]) {
    await makeFolder(dirname(join(copy, path)));
    await copyFile(join(folder, path), join(copy, path), constants.COPYFILE_FICLONE).catch((error: unknown) => {
      // Exchanged in this moment: the next copy has it.
      if (errorCode(error) !== 'ENOENT') throw writeError(join(copy, path), error);
    });
  }
}
