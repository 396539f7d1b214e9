import { dirname } from 'node:path';
import { FolderLock, keepJsonLines, makeFolder } from 'evenhand/files';

/**
 * Does work that reads and appends to a file of JSON lines, which no other process writes meanwhile: runs in different folders may
 * have one file for their results. What a killed process left half-written is removed first.
 *
 * @throws {@link UserError} if another process is at it, or the file's folder cannot be made
 */
export async function withLockedLines<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  await makeFolder(dirname(file));
  const lock = FolderLock.acquire(file, `${file}.lock`);
  try {
    await keepJsonLines(file);
    return await work();
  } finally {
    lock.release();
  }
}
