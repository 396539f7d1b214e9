import { constants as limits } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { UserError } from '../user-error.js';
import { errorCode, readError } from './file-error.js';
import { refuseOtherKinds } from './file-kind.js';

/** Node reads no larger file at once. */
const MOST_BYTES = 2 ** 31 - 1;

/** How a file is read that is taken as a whole. */
export interface ReadOptions {
  /** A larger one is refused before it is read. @defaultValue 2 GiB */
  readonly maximumBytes?: number;
}

/**
 * Opens a file for reading: the one way to do so, for what a person names. Pipes, sockets, devices and folders are refused.
 *
 * @param expected - what messages say that it should be
 * @throws {@link UserError} if it is no ordinary file; errors of the system as they are
 */
export async function openFile(path: string, expected?: string): Promise<FileHandle> {
  // Before it is opened, which alone does something to some devices, and waits for the other end of a pipe.
  refuseOtherKinds(path, await stat(path), expected);
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    refuseOtherKinds(path, await handle.stat(), expected); // it may have been exchanged meanwhile
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * The content of a file.
 *
 * @throws {@link UserError} if it cannot be read, is no ordinary file, or too large
 */
export async function readWholeFile(path: string, options: ReadOptions = {}): Promise<Buffer> {
  try {
    return await read(path, options);
  } catch (error) {
    throw readError(path, error);
  }
}

/** The content of a file; undefined if there is none. Otherwise like {@link readWholeFile}. */
export async function readFileIfThere(path: string, options: ReadOptions = {}): Promise<Buffer | undefined> {
  try {
    return await read(path, options);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw readError(path, error);
  }
}

/** The text of a file, in UTF-8; undefined if there is none. Otherwise like {@link readWholeFile}. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  return (await readFileIfThere(path, { maximumBytes: limits.MAX_STRING_LENGTH }))?.toString('utf8');
}

async function read(path: string, { maximumBytes = MOST_BYTES }: ReadOptions): Promise<Buffer> {
  const handle = await openFile(path);
  try {
    const { size } = await handle.stat();
    if (size > maximumBytes) {
      throw new UserError(`${path} has ${size} bytes; expected at most ${maximumBytes}`);
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
