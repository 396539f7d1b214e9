import { constants, type FileHandle, open, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseStrictJson } from '@evenhand/engine';
import { UserError } from '../user-error.js';
import { syncFolder } from './atomic-file.js';
import { writeError } from './file-error.js';
import { refuseOtherKinds } from './file-kind.js';
import { readFileIfThere } from './read-file.js';

const NEWLINE = 0x0a;

/**
 * Adds one line to a file of JSON lines; it is on the disk when this returns.
 *
 * @throws {@link UserError} if it cannot be written; the file is as it was
 */
export async function appendJsonLine(path: string, value: unknown): Promise<void> {
  try {
    const file = await openToAppend(path);
    try {
      const { size } = await file.stat();
      try {
        await file.writeFile(`${JSON.stringify(value)}\n`);
        await file.sync();
        if (size === 0) await syncFolder(dirname(path)); // perhaps it was not there before
      } catch (error) {
        await file.truncate(size).catch(() => undefined); // the first error is the one to tell
        throw error;
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw writeError(path, error);
  }
}

/** Not what only looks like the file: to write into a pipe waits for a reader. */
async function openToAppend(path: string): Promise<FileHandle> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK);
  try {
    refuseOtherKinds(path, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * The values of all lines; none if there is no file. A line counts when its newline is there: what a killed process left
 * behind the last newline is skipped.
 *
 * @throws {@link UserError} that names the line which is not JSON
 */
export async function readJsonLines(path: string): Promise<unknown[]> {
  const bytes = (await readFileIfThere(path)) ?? Buffer.alloc(0);
  return linesOf(bytes).map(({ start, end }, i): unknown => {
    try {
      return parseStrictJson(bytes.toString('utf8', start, end));
    } catch {
      throw new UserError(`${path}: line ${i + 1} is not JSON; the file is damaged. Restore it, or remove this line`);
    }
  });
}

/**
 * Cuts a file off behind its first lines, and with them whatever a killed process wrote after a checkpoint.
 *
 * @param lines - how many are kept; all whole ones if left out
 * @throws {@link UserError} if there are fewer
 */
export async function keepJsonLines(path: string, lines?: number): Promise<void> {
  const bytes = (await readFileIfThere(path)) ?? Buffer.alloc(0);
  const whole = linesOf(bytes);
  if (lines !== undefined && lines > whole.length) {
    throw new UserError(
      `${path} has ${whole.length} lines; expected at least the ${lines} that the checkpoint knows of. Somebody removed ` +
        'some: restore the file, or start a new run',
    );
  }
  const length = whole[(lines ?? whole.length) - 1]?.end ?? -1;
  if (bytes.length <= length + 1) return;
  await truncate(path, length + 1).catch((error: unknown) => {
    throw writeError(path, error);
  });
}

/** Where the lines lie that have a newline, which `end` is. */
function linesOf(bytes: Uint8Array): { readonly start: number; readonly end: number }[] {
  const lines: { start: number; end: number }[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}
