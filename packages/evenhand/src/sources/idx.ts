import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { openFile } from '../files/read-file.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';

/**
 * Reads an IDX file of bytes, the format of MNIST: two zeros, the type (8: bytes), the number of dimensions, each dimension as
 * a big-endian 32-bit number, then the values. A name that ends with `.gz` is decompressed on the way, never further than the
 * expected size.
 *
 * @throws UserError if it is no such file, or has other dimensions, or more or fewer bytes
 */
export async function readIdx(file: string, dimensions: readonly number[], target: Uint8Array): Promise<void> {
  const header = Buffer.alloc(4 + 4 * dimensions.length);
  const expected = header.length + target.length;
  let received = 0;
  try {
    for await (const chunk of await chunksOf(file)) {
      if (received + chunk.length > expected) throw wrongFileError(file, `has more than ${expected} bytes`);
      const values = chunk.subarray(Math.max(0, header.length - received));
      if (received < header.length) {
        chunk.copy(header, received);
        if (received + chunk.length >= header.length) checkHeader(file, header, dimensions);
      }
      received += chunk.length;
      if (values.length > 0) target.set(values, received - values.length - header.length);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw wrongFileError(file, `cannot be read (${errorMessage(error)})`);
  }
  if (received < expected) throw wrongFileError(file, `is truncated: ${received} bytes instead of ${expected}`);
}

async function chunksOf(file: string): Promise<AsyncIterable<Buffer>> {
  const source = (await openFile(file)).createReadStream({ highWaterMark: 1 << 20 });
  // A failure of either ends the iteration; the callback has nothing to add.
  return file.endsWith('.gz') ? pipeline(source, createGunzip(), () => undefined) : source;
}

function checkHeader(file: string, header: Buffer, dimensions: readonly number[]): void {
  const magic = header.readUInt32BE(0);
  const expected = 0x800 + dimensions.length;
  if (magic !== expected) {
    throw wrongFileError(
      file,
      `begins with 0x${magic.toString(16)} instead of 0x${expected.toString(16)}: another kind of file`,
    );
  }
  const received = dimensions.map((_, axis) => header.readUInt32BE(4 + 4 * axis));
  if (received.some((length, axis) => length !== dimensions[axis])) {
    throw wrongFileError(file, `holds ${received.join(' × ')} values instead of ${dimensions.join(' × ')}`);
  }
}

function wrongFileError(file: string, what: string): UserError {
  return new UserError(`${file} ${what}. Replace it by the original file.`);
}
