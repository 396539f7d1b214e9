import { statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { lockHolder } from '../../files/folder-lock.js';
import { STREAM_FILES } from '../../stream/folder/stream-files.js';
import { lastLoggedMetrics } from '../../stream/folder/stream-log.js';
import type { StreamSummary } from '../interface.js';
import { idOf } from './summarise-run.js';

interface IndexedStream {
  readonly folder: string;
  /** Size and time of its files, and who follows it: as long as they stay, so does the summary. */
  readonly signature: string;
  readonly summary: StreamSummary;
}

/** Streams below some folders, summed up again when their files change. */
export class StreamIndex {
  #streams = new Map<string, IndexedStream>();

  /** @param base - folders are shown relative to it */
  constructor(private readonly base: string) {}

  /** The folder of a listed stream; undefined if there is none of this id. */
  folderOf(id: string): string | undefined {
    return this.#streams.get(id)?.folder;
  }

  /** A listed stream. */
  summaryOf(id: string): StreamSummary | undefined {
    return this.#streams.get(id)?.summary;
  }

  /** All streams, by folder. */
  list(): StreamSummary[] {
    const all = Array.from(this.#streams.values(), ({ summary }) => summary);
    return all.sort((a, b) => (a.folder < b.folder ? -1 : 1));
  }

  /** Folders of streams that go on. */
  runningFolders(): string[] {
    return [...this.#streams.values()].flatMap(({ folder, summary }) => (summary.isRunning ? [folder] : []));
  }

  /**
   * Looks at the streams again.
   *
   * @param folders - where there are some now
   * @returns the ids of those that have come, changed or gone
   */
  async refresh(folders: readonly string[]): Promise<ReadonlySet<string>> {
    const [before, next] = [this.#streams, new Map<string, IndexedStream>()];
    const changed = new Set<string>();
    for (const folder of folders) {
      const id = idOf(folder);
      const { signature, time } = signatureOf(folder);
      const known = before.get(id);
      if (known?.signature === signature) next.set(id, known);
      else {
        next.set(id, { folder, signature, summary: await this.#summarise(folder, id, time) });
        changed.add(id);
      }
    }
    for (const id of before.keys()) if (!next.has(id)) changed.add(id);
    this.#streams = next;
    return changed;
  }

  async #summarise(folder: string, id: string, changed: number): Promise<StreamSummary> {
    // What is wrong with a log is said where the stream is shown.
    const metrics = await lastLoggedMetrics(folder).catch(() => undefined);
    return {
      id,
      name: basename(folder),
      folder: relative(this.base, folder) || '.',
      isRunning: lockHolder(folder) !== undefined,
      last:
        metrics === undefined
          ? null
          : {
              rows: metrics.rows,
              balancedAccuracy: metrics.windowed.balancedAccuracy,
              gMean: metrics.windowed.gMean,
            },
      changed,
    };
  }
}

function signatureOf(folder: string): { readonly signature: string; readonly time: number } {
  const stats = [STREAM_FILES.log, STREAM_FILES.state].map((name) => statIfThere(join(folder, name)));
  const texts = stats.map((one) => (one === undefined ? '-' : `${one.size}:${one.mtimeMs}`));
  return {
    signature: [...texts, lockHolder(folder)?.pid ?? '-'].join(' '),
    time: Math.max(...stats.map((one) => one?.mtimeMs ?? 0)),
  };
}

function statIfThere(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
