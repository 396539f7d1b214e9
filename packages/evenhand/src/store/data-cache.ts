import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, writeError } from '../files/file-error.js';
import { makeFolder } from '../files/make-folder.js';
import { processState } from '../files/process-state.js';
import { UserError } from '../user-error.js';
import { inBytes } from '../wording/numbers.js';
import type { BlobStore } from './blob-store.js';
import { downloadFolder, manifestHash, manifestOf, readManifest, sizeOf } from './manifest.js';

/** What is written beside the files of a data set. */
const SIZE_FILE = 'size';
const FILES = 'files';
const HASH = /^[0-9a-f]{64}$/;

/**
 * Data sets that this machine has fetched, each in a folder named by the hash of its manifest. Several workers share it: what is
 * in use by a living process stays, the rest goes, the longest unused first, when there is no room.
 */
export class DataCache {
  readonly #folder: string;
  readonly #mostBytes: number;
  /** By hash: fetched or checked in this process. */
  readonly #known = new Map<string, Promise<string>>();

  /** @param mostBytes - of all data sets together */
  constructor(folder: string, mostBytes: number) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  /**
   * The folder with the files of a data set, fetched unless it is there and whole.
   *
   * @throws UserError if it is larger than the cache may be, or the disk is full
   * @throws BlobError if the store does not have it as it was
   */
  async folderOf(store: BlobStore, hash: string): Promise<string> {
    const before = this.#known.get(hash);
    if (before !== undefined) return before;
    const fetched = this.#fetch(store, hash);
    this.#known.set(hash, fetched);
    fetched.catch(async () => {
      this.#known.delete(hash);
      await rm(this.#holderFile(hash, process.pid), { force: true });
    });
    return fetched;
  }

  /** Lets go of all data sets; other processes may remove them. */
  async close(): Promise<void> {
    for (const hash of this.#known.keys()) await rm(this.#holderFile(hash, process.pid), { force: true });
  }

  async #fetch(store: BlobStore, hash: string): Promise<string> {
    await makeFolder(this.#folder);
    await this.#hold(hash);
    const entry = join(this.#folder, hash);
    if (await isWhole(join(entry, FILES), hash)) {
      await utimes(entry, new Date(), new Date());
      return join(entry, FILES);
    }
    const manifest = await readManifest(store, 'data', hash);
    const size = sizeOf(manifest);
    await this.#makeRoom(size);
    const unfinished = join(this.#folder, `${hash}.${process.pid}.unfinished`);
    await rm(unfinished, { recursive: true, force: true });
    try {
      await downloadFolder(store, 'data', manifest, join(unfinished, FILES));
      await writeFile(join(unfinished, SIZE_FILE), String(size));
      await rm(entry, { recursive: true, force: true }); // what was there is not whole
      await rename(unfinished, entry);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      // Another worker of this machine may have been faster.
      if (['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '') && (await isWhole(join(entry, FILES), hash)))
        return join(entry, FILES);
      throw writeError(entry, error);
    }
    return join(entry, FILES);
  }

  async #makeRoom(size: number): Promise<void> {
    if (size > this.#mostBytes) {
      throw new UserError(
        `the data has ${inBytes(size)}, and this worker keeps at most ${inBytes(this.#mostBytes)} in ${this.#folder}; give it more with --cache-size`,
      );
    }
    const entries = await this.#entries();
    let used = entries.reduce((sum, entry) => sum + entry.size, 0);
    for (const entry of entries) {
      if (used + size <= this.#mostBytes) return;
      if (await this.#isHeld(entry.hash)) continue;
      await rm(join(this.#folder, entry.hash), { recursive: true, force: true });
      used -= entry.size;
    }
  }

  /** The longest unused first. */
  async #entries(): Promise<{ readonly hash: string; readonly size: number; readonly used: number }[]> {
    const names = (await readdir(this.#folder)).filter((name) => HASH.test(name));
    const entries = await Promise.all(
      names.map(async (hash) => {
        const size = Number(await readFile(join(this.#folder, hash, SIZE_FILE), 'utf8').catch(() => '0'));
        return { hash, size, used: (await stat(join(this.#folder, hash))).mtimeMs };
      }),
    );
    return entries.sort((a, b) => a.used - b.used);
  }

  #holderFile(hash: string, pid: number): string {
    return join(this.#folder, `${hash}.${pid}.held`);
  }

  async #hold(hash: string): Promise<void> {
    await writeFile(this.#holderFile(hash, process.pid), '').catch((error: unknown) => {
      throw writeError(this.#folder, error);
    });
  }

  async #isHeld(hash: string): Promise<boolean> {
    const holders = (await readdir(this.#folder)).filter(
      (name) => name.startsWith(`${hash}.`) && name.endsWith('.held'),
    );
    const pids = holders.map((name) => Number(name.split('.')[1]));
    for (const pid of pids) if (!processState(pid).alive) await rm(this.#holderFile(hash, pid), { force: true });
    return pids.some((pid) => processState(pid).alive);
  }
}

/** Whether a folder still has what it was fetched for: its files are hashed again. */
async function isWhole(folder: string, hash: string): Promise<boolean> {
  if (!existsSync(folder)) return false;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const relative = paths.map((path) => path.slice(folder.length + 1).replaceAll('\\', '/'));
  return (await manifestHash(await manifestOf(folder, relative))) === hash;
}
