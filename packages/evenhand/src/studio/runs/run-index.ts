import { type Stats, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { lockHolder } from '../../files/folder-lock.js';
import { inParallel } from '../../images/in-parallel.js';
import { RUN_FILES } from '../../runs/run-files.js';
import type { OptionValue, RunList, RunSummary, SweepSummary } from '../interface.js';
import { type FoundRun, findRuns } from './find-runs.js';
import { notesFile } from './run-notes.js';
import { StreamIndex } from './stream-index.js';
import { idOf, summariseRun } from './summarise-run.js';

/** Runs that are read before others get their turn. */
const BATCH = 50;

/** A run as it was when its files were looked at. */
interface IndexedRun {
  readonly folder: string;
  /** Sizes and times of its files: as long as they stay, so does the summary. */
  readonly signature: string;
  /** The version of the index that brought it. */
  readonly version: number;
  readonly summary: RunSummary;
}

/** Files whose changes show in a summary. */
const WATCHED = [
  RUN_FILES.config,
  RUN_FILES.environment,
  RUN_FILES.metrics,
  RUN_FILES.evaluation,
  RUN_FILES.divergence,
];

/** All runs below some folders, read once and again when their files change. Ids are looked up here, and only here. */
export class RunIndex {
  readonly roots: readonly string[];
  readonly #runs = new Map<string, IndexedRun>();
  readonly #removed = new Map<string, number>();
  readonly #sweeps = new Map<string, string>();
  /** Streams that are listed beside the runs. */
  readonly streams: StreamIndex;
  readonly #listeners = new Set<(changed: ReadonlySet<string>) => void>();
  #version = 0;
  #unread = 0;
  #refreshing: Promise<void> | undefined;
  #again = false;
  #shared: { readonly version: number; readonly options: ReadonlyMap<string, OptionValue> } = {
    version: -1,
    options: new Map(),
  };
  /** Of the index when the set of shared options changed last: whoever knows less gets everything. */
  #sharedSince = 0;

  /** @param base - folders are shown relative to it */
  constructor(
    roots: readonly string[],
    readonly base: string = process.cwd(),
  ) {
    this.roots = roots.map((root) => resolve(base, root));
    this.streams = new StreamIndex(base);
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** The folder of a listed run; undefined if there is none of this id. */
  folderOf(id: string): string | undefined {
    return this.#runs.get(id)?.folder;
  }

  /** The folder of a listed sweep. */
  sweepFolderOf(id: string): string | undefined {
    return this.#sweeps.get(id);
  }

  /** A listed run, with all its options. */
  summaryOf(id: string): RunSummary | undefined {
    return this.#runs.get(id)?.summary;
  }

  /** Calls with the ids of runs and streams that changed, after every refresh that found some. @returns stops that */
  onChange(listener: (changed: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Folders of runs that are not over, and of streams that go on: what is worth watching. */
  unfinishedFolders(): string[] {
    const runs = [...this.#runs.values()].flatMap(({ folder, summary }) =>
      summary.state === 'finished' ? [] : [folder],
    );
    return [...this.streams.runningFolders(), ...runs];
  }

  /** Looks at all files again. Calls that come meanwhile share one more look. */
  refresh(): Promise<void> {
    if (this.#refreshing !== undefined) {
      this.#again = true;
      return this.#refreshing;
    }
    this.#refreshing = this.#refreshUntilQuiet().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refreshUntilQuiet(): Promise<void> {
    do {
      this.#again = false;
      await this.#refreshOnce();
    } while (this.#again);
  }

  async #refreshOnce(): Promise<void> {
    const known = new Set([...this.#runs.values()].map(({ folder }) => folder));
    const { runs, sweeps, streams } = await findRuns(this.roots, known);
    this.#sweeps.clear();
    for (const folder of sweeps) this.#sweeps.set(idOf(folder), folder);
    const changed = new Set<string>(await this.streams.refresh(streams));
    const stale: { found: FoundRun; signature: string; changed: number }[] = [];
    const present = new Set<string>();
    for (const [i, found] of runs.entries()) {
      if (i % (10 * BATCH) === 0) await new Promise(setImmediate);
      const signature = signatureOf(found.folder);
      if (signature === undefined) continue; // deleted since
      const id = idOf(found.folder);
      present.add(id);
      if (this.#runs.get(id)?.signature !== signature.text) {
        stale.push({ found, signature: signature.text, changed: signature.changed });
      }
    }
    for (const id of [...this.#runs.keys()].filter((one) => !present.has(one))) {
      this.#runs.delete(id);
      this.#removed.set(id, this.#version + 1);
      changed.add(id);
    }
    if (changed.size > 0) this.#tell(changed);
    this.#unread = stale.length;
    for (let from = 0; from < stale.length; from += BATCH) {
      const batch = stale.slice(from, from + BATCH);
      const version = this.#version + 1;
      const read = new Set<string>();
      await inParallel(batch, async ({ found, signature, changed: time }) => {
        const shown = relative(this.base, found.folder) || '.';
        const summary = await summariseRun({ ...found, shown, changed: time });
        this.#runs.set(summary.id, { folder: found.folder, signature, version, summary });
        this.#removed.delete(summary.id);
        read.add(summary.id);
      });
      this.#unread = stale.length - from - batch.length;
      this.#tell(read);
    }
  }

  #tell(changed: ReadonlySet<string>): void {
    this.#version++;
    for (const listener of this.#listeners) listener(changed);
  }

  /** All runs, or what has changed since a version. */
  list(since: number): RunList {
    const shared = this.#sharedOptions();
    const isWhole = since < this.#sharedSince || since > this.#version;
    const runs = [...this.#runs.values()].filter(({ version }) => isWhole || version > since);
    return {
      version: this.#version,
      isWhole,
      runs: runs.map(({ summary }) => ({ ...summary, options: without(summary.options, shared) })),
      removed: [...this.#removed].filter(([, version]) => !isWhole && version > since).map(([id]) => id),
      shared: Object.fromEntries(shared),
      folders: this.roots.map((root) => relative(this.base, root) || '.'),
      unread: this.#unread,
      sweeps: this.#listSweeps(),
      streams: this.streams.list(),
    };
  }

  #listSweeps(): SweepSummary[] {
    return [...this.#sweeps].map(([id, folder]) => ({
      id,
      name: folder.split(/[\\/]/).at(-1) ?? '',
      folder: relative(this.base, folder) || '.',
      isRunning: lockHolder(folder) !== undefined,
    }));
  }

  /** Options that have the same value in all runs. */
  #sharedOptions(): ReadonlyMap<string, OptionValue> {
    if (this.#shared.version === this.#version) return this.#shared.options;
    const readable = [...this.#runs.values()].filter(({ summary }) => summary.state !== 'damaged');
    const options = new Map(Object.entries(readable[0]?.summary.options ?? {}));
    for (const { summary } of readable) {
      for (const [path, value] of options) {
        if (!Object.hasOwn(summary.options, path) || summary.options[path] !== value) options.delete(path);
      }
    }
    const before = this.#shared.options;
    const isSame = before.size === options.size && [...options.keys()].every((path) => before.has(path));
    if (!isSame) this.#sharedSince = this.#version;
    this.#shared = { version: this.#version, options };
    return options;
  }
}

function without(
  options: Readonly<Record<string, OptionValue>>,
  shared: ReadonlyMap<string, OptionValue>,
): Record<string, OptionValue> {
  return Object.fromEntries(Object.entries(options).filter(([path]) => !shared.has(path)));
}

/** Undefined if there is no run any more. */
function signatureOf(folder: string): { readonly text: string; readonly changed: number } | undefined {
  const stats = WATCHED.map((name) => statIfThere(join(folder, name)));
  const [config] = stats;
  if (config === undefined) return undefined;
  const members = statIfThere(join(folder, RUN_FILES.members));
  const notes = statIfThere(notesFile(folder));
  const isOver = stats[WATCHED.indexOf(RUN_FILES.evaluation)] !== undefined;
  // Whether somebody trains it: a process may have ended without a trace in the files.
  const holder = isOver ? undefined : lockHolder(folder)?.pid;
  // The members of a portfolio write their own files: while it trains, it is looked at every time.
  const unsettled = members !== undefined && holder !== undefined ? Date.now() : 0;
  const text = [...stats, members, notes].map((one) => (one === undefined ? '-' : `${one.size}:${one.mtimeMs}`));
  const changed = Math.max(...stats.map((one) => one?.mtimeMs ?? 0));
  return { text: [...text, holder ?? '-', unsettled].join(' '), changed };
}

function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // its folder is no folder any more, or may not be read
  }
}
