import { type FSWatcher, watch } from 'node:fs';
import type { RunIndex } from './run-index.js';

/** Milliseconds. What a system tells of files is told at once; what it does not tell is looked for. */
const GATHERING = 150;
const POLLING = 2000;
/** Folders that are watched; systems allow some thousands for all programs together. */
const MOST_WATCHED = 200;

/** Keeps an index up to date for as long as somebody looks: by the system's notices of changes, and by looking every other second. */
export class RunWatch {
  readonly #index: RunIndex;
  readonly #watchers = new Map<string, FSWatcher>();
  #viewers = 0;
  #polling: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(index: RunIndex) {
    this.#index = index;
  }

  /** Begins to look if nobody else does. @returns ends it for this viewer */
  view(): () => void {
    this.#viewers++;
    if (this.#viewers === 1) this.#poll();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#viewers--;
      if (this.#viewers === 0) this.#rest();
    };
  }

  /** Ends all watching. */
  close(): void {
    this.#isClosed = true;
    this.#rest();
  }

  #poll(): void {
    this.#polling = undefined;
    void this.#index
      .refresh()
      .catch(() => undefined) // what cannot be read now may be at the next look
      .then(() => {
        if (this.#isClosed || this.#viewers === 0 || this.#polling !== undefined) return;
        this.#watchFolders();
        this.#polling = setTimeout(() => this.#poll(), POLLING);
      });
  }

  /** The folders that runs come into, and those of runs that go on. */
  #watchFolders(): void {
    const wanted = new Set([...this.#index.roots, ...this.#index.unfinishedFolders()].slice(0, MOST_WATCHED));
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of wanted) {
      if (this.#watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false }, () => this.#notice());
        watcher.on('error', () => {
          watcher.close();
          this.#watchers.delete(folder);
        });
        this.#watchers.set(folder, watcher);
      } catch {
        // Not there yet, or the system watches no more: polling finds out.
      }
    }
  }

  /** Several files of an epoch are written at once. */
  #notice(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      void this.#index.refresh().catch(() => undefined);
    }, GATHERING);
  }

  #rest(): void {
    clearTimeout(this.#polling);
    clearTimeout(this.#gathering);
    [this.#polling, this.#gathering] = [undefined, undefined];
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}
