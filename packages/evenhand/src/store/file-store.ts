import { createReadStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writeAtomically } from '../files/atomic-file.js';
import { errorCode, readError } from '../files/file-error.js';
import { makeFolder } from '../files/make-folder.js';
import { type BlobContent, BlobError, type BlobStore, checked } from './blob-store.js';

/** Blobs as files in a folder that all machines share. */
export class FileStore implements BlobStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = resolve(folder);
  }

  get name(): string {
    return this.#folder;
  }

  async has(key: string): Promise<boolean> {
    return existsSync(this.#path(key));
  }

  async *read(key: string): AsyncGenerator<Uint8Array> {
    try {
      yield* checked(createReadStream(this.#path(key)), key, this.name);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') throw new BlobError(`${key} is not in ${this.name}`);
      throw readError(this.#path(key), error);
    }
  }

  async write(key: string, content: BlobContent): Promise<void> {
    const path = this.#path(key);
    await makeFolder(dirname(path));
    await writeAtomically(path, checked(content.open(), key, 'what was to be written'));
  }

  async removeAll(prefix: string): Promise<void> {
    await rm(this.#path(prefix), { recursive: true, force: true });
  }

  #path(key: string): string {
    return join(this.#folder, ...key.split('/'));
  }
}
