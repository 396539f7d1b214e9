import { createReadStream } from 'node:fs';
import { readError } from '../files/file-error.js';
import { type BlobContent, type BlobStore, checked } from './blob-store.js';

/** A store that has some of its blobs in files elsewhere, which are not copied. A file that has changed is refused by its hash. */
export class ServedStore implements BlobStore {
  readonly #store: BlobStore;
  readonly #files = new Map<string, string>();

  /** @param store - keeps all others */
  constructor(store: BlobStore) {
    this.#store = store;
  }

  get name(): string {
    return this.#store.name;
  }

  /** @param files - by their keys */
  serve(files: ReadonlyMap<string, string>): void {
    for (const [key, file] of files) this.#files.set(key, file);
  }

  async has(key: string): Promise<boolean> {
    return this.#files.has(key) || this.#store.has(key);
  }

  async *read(key: string): AsyncGenerator<Uint8Array> {
    const file = this.#files.get(key);
    if (file === undefined) {
      yield* this.#store.read(key);
      return;
    }
    try {
      yield* checked(createReadStream(file), key, file);
    } catch (error) {
      throw readError(file, error);
    }
  }

  write(key: string, content: BlobContent): Promise<void> {
    return this.#store.write(key, content);
  }

  removeAll(prefix: string): Promise<void> {
    return this.#store.removeAll(prefix);
  }
}
