import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Bytes that can be read as often as is needed. */
export interface BlobContent {
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
}

/**
 * Keeps blobs where several machines reach them. The last part of a key is the SHA-256 of the content, in hex, so that whoever
 * reads a blob can tell whether it is what was asked for: `data/<hash>`, or `runs/<job>/<hash>`.
 */
export interface BlobStore {
  /** What messages call it. */
  readonly name: string;
  has(key: string): Promise<boolean>;
  /**
   * The content, checked while it is read.
   *
   * @throws {@link BlobError} if it is not there, or is not what its key says
   */
  read(key: string): AsyncIterable<Uint8Array>;
  /**
   * Keeps a blob; it is there whole or not at all.
   *
   * @throws {@link BlobError} if the content is not what the key says
   */
  write(key: string, content: BlobContent): Promise<void>;
  /** Removes every blob whose key begins with these parts. */
  removeAll(prefix: string): Promise<void>;
}

/** A blob is missing, damaged, or out of reach. The message names the store and the key. */
export class BlobError extends Error {
  override readonly name = 'BlobError';
}

const KEY = /^(?:data|runs\/[\w-]{1,200})\/([0-9a-f]{64})$/;
const PREFIX = /^runs\/[\w-]{1,200}$/;

/** The SHA-256 that a key asks for; undefined if it is not a key. */
export function hashIn(key: string): string | undefined {
  return KEY.exec(key)?.[1];
}

/** Whether all blobs with a prefix may be removed: those of one job. */
export function isPrefix(prefix: string): boolean {
  return PREFIX.test(prefix);
}

/**
 * Passes bytes on, and refuses at their end if they are not those that a key asks for.
 *
 * @param store - what the message calls their origin
 */
export async function* checked(
  bytes: AsyncIterable<Uint8Array>,
  key: string,
  store: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const part of bytes) {
    hash.update(part);
    yield part;
  }
  const found = hash.digest('hex');
  if (found === hashIn(key)) return;
  throw new BlobError(`${key} in ${store} is damaged: its content has the SHA-256 ${found}; expected ${hashIn(key)}`);
}

/** The SHA-256 of bytes, in hex. */
export async function sha256Of(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of bytes) hash.update(part);
  return hash.digest('hex');
}

/** Bytes in memory as a blob's content. */
export function contentOf(bytes: Uint8Array): BlobContent {
  return {
    size: bytes.length,
    open: async function* () {
      yield bytes;
    },
  };
}

/** A file as a blob's content. */
export function fileContent(path: string, size: number): BlobContent {
  return { size, open: () => createReadStream(path) };
}
