import type { FileHandle } from 'node:fs/promises';

/**
 * The bytes of a file from `start` on. A chunk is good until the next one is asked for; that one is read already while the
 * caller works.
 */
export async function* fileChunks(handle: FileHandle, start: number, chunkSize: number): AsyncGenerator<Buffer> {
  let chunk = Buffer.allocUnsafe(chunkSize);
  let spare = Buffer.allocUnsafe(chunkSize);
  let position = start;
  let reading = handle.read(chunk, 0, chunkSize, position);
  try {
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      position += bytesRead;
      reading = handle.read(spare, 0, chunkSize, position);
      yield chunk.subarray(0, bytesRead);
      [chunk, spare] = [spare, chunk];
    }
  } finally {
    // A caller that stops early closes the file, which must not happen under a read.
    await reading.catch(() => undefined);
  }
}
