import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { errorCode } from '../files/file-error.js';
import { UserError } from '../user-error.js';
import { fileChunks } from './file-chunks.js';

/** The bytes of a table's file, unpacked; they can be read as often as it takes. */
export interface TableBytes {
  /** What messages call the file. */
  readonly file: string;
  /** How many bytes there are. */
  readonly size: number;
  /** The bytes from `start` on. A chunk is good until the next one is asked for. */
  readonly chunks: (start: number, chunkSize: number) => AsyncGenerator<Buffer>;
}

/** The first bytes of a table. */
export interface TableHead {
  readonly bytes: Buffer;
  /** Whether there are no others. */
  readonly isWhole: boolean;
}

/** Enough to tell format, encoding and delimiter. */
const HEAD_BYTES = 2 ** 16;

export async function headOf({ chunks, size }: TableBytes): Promise<TableHead> {
  const head = Buffer.alloc(Math.min(HEAD_BYTES, size));
  let length = 0;
  for await (const chunk of chunks(0, HEAD_BYTES)) {
    length += chunk.copy(head, length);
    if (length === head.length) break;
  }
  return { bytes: head.subarray(0, length), isWhole: size <= HEAD_BYTES };
}

/** The bytes of an open file as they are. */
export async function plainBytes(file: string, handle: FileHandle): Promise<TableBytes> {
  const { size } = await handle.stat();
  return { file, size, chunks: (start, chunkSize) => fileChunks(handle, start, chunkSize) };
}

/** Whether a file is compressed with gzip, by its first bytes. */
export function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

// Tables take a third to a fiftieth of their size, and rarely a hundredth; what gzip can do at best is a thousandth, of one letter
// over and over.
const MOST_TIMES = 100;
const SPARE_BYTES = 64 * 2 ** 20;

const PACKED_CHUNK = 2 ** 16;
const COUNTED_CHUNK = 2 ** 18;
/** That zlib has room for. */
const SMALLEST_CHUNK = 64;

/**
 * What an open file unpacks to. It is unpacked once beforehand, and nothing kept, to see what it comes to; then again, chunk by
 * chunk, as often as it is read.
 *
 * @throws UserError if it is damaged, cut off, or a bomb
 */
export async function gzipBytes(file: string, handle: FileHandle): Promise<TableBytes> {
  const size = await unpackedSize(file, handle);
  return {
    file,
    size,
    chunks: async function* (start, chunkSize) {
      let position = 0;
      for await (const chunk of unpacked(file, handle, chunkSize)) {
        position += chunk.length;
        if (position > start) yield chunk.subarray(Math.max(0, chunk.length - (position - start)));
      }
    },
  };
}

async function unpackedSize(file: string, handle: FileHandle): Promise<number> {
  const { size: packedSize } = await handle.stat();
  const mostBytes = MOST_TIMES * packedSize + SPARE_BYTES;
  let size = 0;
  for await (const chunk of unpacked(file, handle, COUNTED_CHUNK)) {
    size += chunk.length;
    if (size > mostBytes) throw bombError(file, packedSize, mostBytes);
  }
  return size;
}

async function* unpacked(file: string, handle: FileHandle, chunkSize: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: Math.max(chunkSize, SMALLEST_CHUNK) });
  const stop = new AbortController();
  const feeding = feed(gunzip, fileChunks(handle, 0, PACKED_CHUNK), stop.signal).catch((error: unknown) =>
    gunzip.destroy(error instanceof Error ? error : undefined),
  );
  try {
    for await (const chunk of gunzip) yield chunk;
  } catch (error) {
    throw unpackingError(file, error);
  } finally {
    stop.abort();
    gunzip.destroy();
    await feeding; // the file may be closed now
  }
}

async function feed(gunzip: Gunzip, packed: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
  for await (const chunk of packed) {
    // A copy: it is unpacked while the next one is read.
    if (!gunzip.write(Buffer.from(chunk))) await once(gunzip, 'drain', { signal });
    if (signal.aborted) return;
  }
  gunzip.end();
}

function unpackingError(file: string, error: unknown): unknown {
  const code = errorCode(error) ?? '';
  if (!code.startsWith('Z_')) return error;
  const what = code === 'Z_BUF_ERROR' ? 'it is cut off' : 'it is damaged';
  return new UserError(
    `${file} is compressed with gzip and cannot be unpacked: ${what} (${code}). Is it complete? Fetch or pack it again`,
    { cause: error },
  );
}

function bombError(file: string, size: number, mostBytes: number): UserError {
  return new UserError(
    `${file} has ${size} bytes and unpacks to more than ${mostBytes}, over ${MOST_TIMES} times as many, which no ordinary table ` +
      'does. If it is one, unpack it with gunzip, and name the unpacked file',
  );
}
