import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseStrictJson } from '@evenhand/engine';
import { difference } from '../config/difference.js';
import { isTemporary, removeTemporaryFiles, writeAtomically } from '../files/atomic-file.js';
import { errorCode, writeError } from '../files/file-error.js';
import { FolderLock, isOfLock } from '../files/folder-lock.js';
import { appendJsonLine, keepJsonLines, readJsonLines } from '../files/json-lines.js';
import { makeFolder, type RemoveMade } from '../files/make-folder.js';
import { readTextIfThere } from '../files/read-file.js';
import { RUN_FILES, removeCheckpoints } from '../runs/run-files.js';
import { UserError } from '../user-error.js';
import { parseSweep, type SweepDefinition } from './definition.js';
import { drawKey, type EvaluatedDraw, parseEvaluatedDraws } from './evaluated-draw.js';

/** Names of the files in the folder of a sweep. */
export const SWEEP_FILES = { definition: 'sweep.json', results: 'trials.jsonl', runs: 'trials' } as const;

/** Whether a sweep was begun in this folder. */
export function isSweep(folder: string): boolean {
  return existsSync(join(folder, SWEEP_FILES.definition));
}

/** The definition of the sweep in a folder; undefined if there is none. */
export async function readSweep(folder: string): Promise<SweepDefinition | undefined> {
  const file = join(folder, SWEEP_FILES.definition);
  const text = await readTextIfThere(file);
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = parseStrictJson(text);
  } catch {
    throw new UserError(`${file} is not JSON; the file is damaged. Restore it, or start a new sweep`);
  }
  return parseSweep(json, file);
}

/** The folder of a sweep, which this process, and no other, writes into. */
export class SweepFolder {
  readonly #lock: FolderLock;
  readonly #removeMade: RemoveMade;

  private constructor(
    readonly path: string,
    readonly definition: SweepDefinition,
    /** What was found out before. */
    readonly evaluated: readonly EvaluatedDraw[],
    right: { readonly lock: FolderLock; readonly removeMade: RemoveMade },
  ) {
    this.#lock = right.lock;
    this.#removeMade = right.removeMade;
  }

  /**
   * Makes the folder of a sweep, or opens that of the same sweep to go on.
   *
   * @throws {@link UserError} with the differences if another sweep is in it
   */
  static async open(path: string, definition: SweepDefinition): Promise<SweepFolder> {
    await checkFolder(path);
    const removeMade = await makeFolder(path);
    const lock = FolderLock.acquire(path);
    try {
      await removeTemporaryFiles(path);
      const begun = await readSweep(path);
      if (begun === undefined) await writeJson(join(path, SWEEP_FILES.definition), definition);
      else checkSame(path, begun, definition);
      const results = join(path, SWEEP_FILES.results);
      await keepJsonLines(results);
      const evaluated = parseEvaluatedDraws(await readJsonLines(results), results);
      return new SweepFolder(path, begun ?? definition, evaluated, { lock, removeMade });
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Where the draws of the trials are trained. */
  get runs(): string {
    return join(this.path, SWEEP_FILES.runs);
  }

  /** Adds a result. */
  append(draw: EvaluatedDraw): Promise<void> {
    return appendJsonLine(join(this.path, SWEEP_FILES.results), draw);
  }

  /** Removes what only going on with a trial would need. Its learning curves stay. */
  async removeCheckpoints(trial: number): Promise<void> {
    for (let draw = 0; draw < this.definition.draws; draw++) {
      await removeCheckpoints(join(this.runs, drawKey({ trial, draw })));
    }
  }

  /** Writes a file beside the results. */
  async write(name: string, content: object): Promise<string> {
    const path = join(this.path, name);
    await writeJson(path, content);
    return path;
  }

  /** Lets other processes have the folder. */
  release(): void {
    this.#lock.release();
  }

  /** Whether no trial was begun, now or before. */
  async isUnused(): Promise<boolean> {
    if (this.evaluated.length > 0) return false;
    const files = await readdir(this.runs, { recursive: true }).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw writeError(this.path, error);
    });
    return !files.some((file) => basename(file) === RUN_FILES.config);
  }

  /** Leaves nothing of a sweep that could not even begin. */
  async discard(): Promise<void> {
    for (const name of Object.values(SWEEP_FILES)) await rm(join(this.path, name), { recursive: true, force: true });
    this.release();
    await this.#removeMade();
  }
}

/** A folder without a sweep must be empty. */
async function checkFolder(path: string): Promise<void> {
  if (isSweep(path)) return;
  const names = await readdir(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw writeError(path, error);
  });
  const other = names.find((name) => !isOfLock(name) && !isTemporary(name));
  if (other === undefined) return;
  throw new UserError(`${path} is not empty: "${other}" is in it; expected a new or empty folder for the sweep`);
}

function checkSame(path: string, before: SweepDefinition, now: SweepDefinition): void {
  const show = (value: unknown) => (value === undefined ? 'not set' : JSON.stringify(value));
  const differences = difference(before, now).map(
    (found) => `${found.path}: ${show(found.before)} in the sweep, ${show(found.after)} now`,
  );
  if (differences.length === 0) return;
  throw new UserError(
    `${path} is another sweep:\n  ${differences.join('\n  ')}\n` +
      'Continue with the options that it was started with, or choose another folder',
  );
}

function writeJson(path: string, content: object): Promise<void> {
  return writeAtomically(path, `${JSON.stringify(content, null, 2)}\n`);
}
