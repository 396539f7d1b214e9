import { randomUUID } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { UserError } from '../user-error.js';
import { readError, writeError } from './file-error.js';
import { kindOf } from './file-kind.js';

/** What stands for the standard input where a file may be named. A file of this name is `./-`. */
export const STANDARD_INPUT = '-';

/** Enough for any table that fits into memory; what goes on for longer most likely has no end. */
const MOST_BYTES = 16 * 2 ** 30;

/** What messages call a file. */
export function fileName(path: string): string {
  return path === STANDARD_INPUT ? 'standard input' : basename(path);
}

/** How the standard input is read. */
export interface StandardInputOptions {
  /** Gives up waiting for it, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** A longer one is refused. @defaultValue 16 GiB */
  readonly maximumBytes?: number | undefined;
}

let copied: Promise<FileHandle> | undefined;

/**
 * All of the standard input, as a file that can be read as often as it takes; it is the same one for everybody and stays open. It
 * has no name, so that nothing of it remains when the process ends, however it does.
 *
 * @throws {@link UserError} if it is a terminal or another device, a folder, or too long
 */
export function openStandardInput(options: StandardInputOptions = {}): Promise<FileHandle> {
  copied ??= copy(options);
  return copied;
}

async function copy({ signal, maximumBytes = MOST_BYTES }: StandardInputOptions): Promise<FileHandle> {
  refuseDevices();
  const path = join(tmpdir(), `evenhand-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600).catch((error: unknown) => {
    throw writeError(path, error);
  });
  try {
    await unlink(path);
    let bytes = 0;
    for await (const chunk of standardInputChunks(signal)) {
      bytes += chunk.length;
      if (bytes > maximumBytes) {
        throw new UserError(
          `the standard input has more than ${maximumBytes} bytes; save it in a file, and name that instead`,
        );
      }
      await file.writeFile(chunk).catch((error: unknown) => {
        throw writeError('a copy of the standard input', error);
      });
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A terminal waits for somebody to type a table; other devices have no end, or nothing to say. */
function refuseDevices(): void {
  const kind = kindOf(fstatSync(0));
  if (kind === 'a file' || kind === 'a named pipe' || kind === 'a socket') return;
  const what = process.stdin.isTTY === true ? 'a terminal' : kind;
  throw new UserError(
    `"${STANDARD_INPUT}" stands for the standard input, which is ${what} here; expected a table from a pipe or a file: ` +
      'npx evenhand check - < data.csv',
  );
}

async function* standardInputChunks(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const { stdin } = process;
  const giveUp = () => stdin.destroy();
  signal?.addEventListener('abort', giveUp);
  try {
    signal?.throwIfAborted();
    for await (const chunk of stdin) {
      if (!(chunk instanceof Uint8Array)) throw new Error('internal: the standard input is read as text');
      yield chunk;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw readError('the standard input', error);
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}
