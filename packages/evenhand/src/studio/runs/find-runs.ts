import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_FILES } from '../../runs/run-files.js';
import { STREAM_FILES } from '../../stream/folder/stream-files.js';
import { SWEEP_FILES } from '../../sweep/sweep-folder.js';

/** Folders inside each other that are looked into: runs lie in a few, links may lie in a circle. */
const DEEPEST = 6;

/** A run folder, and the sweep that it belongs to. */
export interface FoundRun {
  readonly folder: string;
  readonly sweep: string | null;
}

/** What lies below some folders. */
export interface FoundFolders {
  readonly runs: readonly FoundRun[];
  readonly sweeps: readonly string[];
  readonly streams: readonly string[];
}

/**
 * Looks for runs, sweeps and streams. What lies inside of a run or a stream is its own.
 *
 * @param known - folders of runs that were found before: they need not be opened again
 */
export async function findRuns(roots: readonly string[], known: ReadonlySet<string>): Promise<FoundFolders> {
  const runs: FoundRun[] = [];
  const sweeps: string[] = [];
  const streams: string[] = [];
  const visit = async (folder: string, sweep: string | null, depth: number): Promise<void> => {
    if (depth > DEEPEST) return;
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    const names = new Set(entries.map(({ name }) => name));
    if (names.has(RUN_FILES.config)) {
      runs.push({ folder, sweep });
      return;
    }
    if (names.has(STREAM_FILES.state)) {
      streams.push(folder);
      return;
    }
    const isSweep = names.has(SWEEP_FILES.definition);
    if (isSweep) sweeps.push(folder);
    const inside = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    await Promise.all(
      inside.map(async ({ name }) => {
        const path = join(folder, name);
        const own = isSweep ? folder : sweep;
        if (known.has(path)) runs.push({ folder: path, sweep: own });
        else await visit(path, own, depth + 1);
      }),
    );
  };
  await Promise.all(roots.map((root) => visit(root, null, 0)));
  return { runs, sweeps, streams };
}
