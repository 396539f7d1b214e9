import type { FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readError } from '../../files/file-error.js';
import { openFile } from '../../files/read-file.js';
import { UserError } from '../../user-error.js';

/** A line of a text. */
export interface TextLine {
  readonly bytes: Buffer;
  /** Bytes up to its end, with its line feed. */
  readonly end: number;
}

/** Bytes that are read at once. */
const CHUNK = 2 ** 16;
/** Milliseconds between two looks at a file that may have grown. */
const PAUSE = 200;
/** Longer lines than this are no rows. */
const LONGEST_LINE = 16 * 2 ** 20;
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** How a file is read. */
export interface FileLinesOptions {
  /** The byte to begin with. */
  readonly from: number;
  /** Whether to wait for more at its end. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/**
 * The lines of a file. If it is followed, a line counts when its line feed is there: what somebody is just writing is not read in half.
 *
 * @throws {@link UserError} if it cannot be read, or is shorter than the byte to begin with
 */
export async function* fileLines(path: string, { from, follow, signal }: FileLinesOptions): AsyncGenerator<TextLine[]> {
  const file = await openFile(path).catch((error: unknown) => {
    throw readError(path, error);
  });
  try {
    yield* linesOf(fileChunks(file, path, from, follow, signal), from, follow);
  } finally {
    await file.close();
  }
}

async function* fileChunks(
  file: FileHandle,
  path: string,
  from: number,
  follow: boolean,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for (let position = from; !signal.aborted; ) {
    const { size } = await file.stat();
    if (size < position) {
      throw new UserError(
        `${path} has ${size} bytes, fewer than the ${position} that have been read: it was cut off or written anew. ` +
          'Restore it, or begin a new stream with another folder',
      );
    }
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK, position).catch((error: unknown) => {
      throw readError(path, error);
    });
    position += bytesRead;
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
    else if (!follow) return;
    else await sleep(PAUSE, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * The lines of the standard input, as they come.
 *
 * @param skipped - bytes at its beginning that are passed over
 */
export async function* standardInputLines(skipped: number, signal: AbortSignal): AsyncGenerator<TextLine[]> {
  yield* linesOf(standardInputChunks(skipped, signal), skipped, false);
}

async function* standardInputChunks(skipped: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { stdin } = process;
  const giveUp = () => stdin.destroy();
  signal.addEventListener('abort', giveUp);
  let left = skipped;
  try {
    for await (const chunk of stdin) {
      if (!Buffer.isBuffer(chunk)) throw new Error('internal: the standard input is read as text');
      const rest = chunk.subarray(Math.min(left, chunk.length));
      left -= chunk.length - rest.length;
      if (rest.length > 0) yield rest;
      if (signal.aborted) return;
    }
  } catch (error) {
    if (!signal.aborted) throw readError('the standard input', error);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** @param needsLineFeed - whether a last line without one is left out: the rest of it may still come */
async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  from: number,
  needsLineFeed: boolean,
): AsyncGenerator<TextLine[]> {
  let begun: Buffer = Buffer.alloc(0);
  let end = from;
  for await (const chunk of chunks) {
    const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    const lines: TextLine[] = [];
    let start = 0;
    for (let feed = bytes.indexOf(LINE_FEED); feed >= 0; feed = bytes.indexOf(LINE_FEED, start)) {
      end += feed + 1 - start;
      lines.push({ bytes: withoutReturn(bytes.subarray(start, feed)), end });
      start = feed + 1;
    }
    begun = bytes.subarray(start);
    if (begun.length > LONGEST_LINE) {
      throw new UserError(`a line is longer than ${LONGEST_LINE / 2 ** 20} MB; expected one row per line`);
    }
    if (lines.length > 0) yield lines;
  }
  if (begun.length > 0 && !needsLineFeed) yield [{ bytes: withoutReturn(begun), end: end + begun.length }];
}

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}
