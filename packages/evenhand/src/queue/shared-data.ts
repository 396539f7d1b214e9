import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Config } from '../config/schema.js';
import { walkFolder } from '../files/walk-folder.js';
import { isKnownDataset, openDataset } from '../sources/open-source.js';
import type { BlobStore } from '../store/blob-store.js';
import { manifestOf, uploadFolder } from '../store/manifest.js';
import { readingOf } from '../trials/data-reading.js';
import type { TrialJob } from './job.js';

type DataConfig = Config['data'];

/** A store that may serve files from where they are. */
export interface DataStore extends BlobStore {
  /** Tells of files that need not be copied, by their keys. */
  serve?(files: ReadonlyMap<string, string>): void;
}

/** Gives the data of trials to whoever trains them. What is read once is not read again, however it is split. */
export class SharedData {
  readonly #store: DataStore;
  readonly #shared = new Map<string, Promise<TrialJob['data']>>();

  constructor(store: DataStore) {
    this.#store = store;
  }

  /**
   * What a job says of its data, once that is in the store.
   *
   * @throws {@link UserError} if it cannot be read
   */
  of(data: DataConfig): Promise<TrialJob['data']> {
    const key = readingOf(data);
    const found = this.#shared.get(key) ?? this.#share(data);
    this.#shared.set(key, found);
    return found;
  }

  async #share(data: DataConfig): Promise<TrialJob['data']> {
    const { contentHash } = await openDataset(data);
    if (isKnownDataset(data.source)) return { hash: contentHash };
    // The source keeps its name, which runs are named after.
    const source = resolve(data.source);
    const [parent, name] = [dirname(source), basename(source)];
    const paths = statSync(source).isDirectory()
      ? (await walkFolder(source)).files.map((path) => `${name}/${path}`)
      : [name];
    const manifest = await manifestOf(parent, paths);
    this.#store.serve?.(new Map(manifest.files.map(({ path, sha256 }) => [`data/${sha256}`, `${parent}/${path}`])));
    return {
      hash: contentHash,
      files: { manifest: await uploadFolder(this.#store, 'data', parent, manifest), path: name },
    };
  }
}
