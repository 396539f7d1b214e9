import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../files/atomic-file.js';
import { writeError } from '../../files/file-error.js';
import { refuseOtherKinds } from '../../files/file-kind.js';
import { UserError } from '../../user-error.js';

/**
 * A file of JSON lines that grows with a stream. What a killed process wrote behind its last checkpoint is cut off, so that every line is
 * there once.
 */
export class GrowingFile {
  readonly #path: string;
  readonly #file: FileHandle;
  #length: number;
  #text = '';

  private constructor(path: string, file: FileHandle, length: number) {
    this.#path = path;
    this.#file = file;
    this.#length = length;
  }

  /**
   * Opens a file.
   *
   * @param length - its bytes at the last checkpoint
   * @throws {@link UserError} if it cannot be written, or is shorter
   */
  static async open(path: string, length: number): Promise<GrowingFile> {
    try {
      const file = await open(path, 'a');
      try {
        const stats = await file.stat();
        refuseOtherKinds(path, stats);
        if (stats.size < length) {
          throw new UserError(
            `${path} has ${stats.size} bytes; expected at least the ${length} that the checkpoint knows of. Restore it, or begin a new stream`,
          );
        }
        await file.truncate(length);
        await syncFolder(dirname(path));
        return new GrowingFile(path, file, length);
      } catch (error) {
        await file.close();
        throw error;
      }
    } catch (error) {
      throw writeError(path, error);
    }
  }

  /** Bytes, with those that are not written yet. */
  get length(): number {
    return this.#length;
  }

  add(value: object): void {
    const line = `${JSON.stringify(value)}\n`;
    this.#text += line;
    this.#length += Buffer.byteLength(line);
  }

  /** Writes what was added. */
  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text === '') return;
    await this.#file.appendFile(text).catch((error: unknown) => {
      throw writeError(this.#path, error);
    });
  }

  /** Brings everything to the disk. */
  async sync(): Promise<void> {
    await this.flush();
    await this.#file.sync().catch((error: unknown) => {
      throw writeError(this.#path, error);
    });
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#file.close();
  }
}
