import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../user-error.js';
import { errorCode, writeError } from './file-error.js';
import { processState } from './process-state.js';

/** The lock's name in a run folder. */
export const LOCK_FILE = 'lock';

/** A lock without readable content, or a take-over, older than this was left by a process that was killed in the middle. */
const ABANDONED_AFTER = 5_000;

const holderSchema = z.strictObject({ pid: z.int().min(1), started: z.string().nullable(), host: z.string() });

type Holder = z.output<typeof holderSchema>;

/** Whether a folder is locked, or was by a process that is gone. */
export function isLocked(folder: string): boolean {
  return existsSync(join(folder, LOCK_FILE));
}

/** The right of one process to write into a folder. */
export class FolderLock {
  readonly #path: string;
  readonly #content: string;

  private constructor(
    path: string,
    content: string,
    /** Whose lock was taken over, for people. */
    readonly note: string | undefined,
  ) {
    this.#path = path;
    this.#content = content;
  }

  /**
   * Locks a folder, or a file, for this process. A lock whose process is gone is taken over.
   *
   * @param path - of the lock; for a file, beside it
   * @throws {@link UserError} if another process has it, or the folder cannot be written
   */
  static acquire(folder: string, path = join(folder, LOCK_FILE)): FolderLock {
    const own: Holder = { pid: process.pid, started: processState(process.pid).started, host: hostname() };
    const content = `${JSON.stringify(own)}\n`;
    let note: string | undefined;
    while (!create(path, content)) {
      const found = readIfThere(path);
      if (found === undefined) continue; // released in this moment
      checkAbandoned(folder, path, found);
      removeAbandoned(folder, path, found);
      note = `${folder} was locked by ${describe(holderOf(found))}, which ended without releasing it; the lock was taken over`;
    }
    return new FolderLock(path, content, note);
  }

  /** Lets others have the folder. */
  release(): void {
    if (readIfThere(this.#path) === this.#content) rmSync(this.#path, { force: true });
  }
}

/** Creates the file unless it is there: the one operation that a file system grants to one process only. */
function create(path: string, content: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx');
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw writeError(path, error);
  }
  try {
    writeSync(file, content);
    fsyncSync(file);
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    throw writeError(path, error);
  } finally {
    closeSync(file);
  }
}

function checkAbandoned(folder: string, path: string, content: string): void {
  const holder = holderOf(content);
  if (holder === undefined) {
    // Empty for as long as it takes to write a line, unless the writer was killed just then.
    if (ageOf(path) > ABANDONED_AFTER) return;
    throw new UserError(`${folder} is just being locked by another process; try again in a few seconds`);
  }
  if (holder.host !== hostname()) {
    throw new UserError(
      `${folder} is in use by ${describe(holder)}, another computer, as far as can be told from here. If that ` +
        `process is gone, delete the file ${path} and try again`,
    );
  }
  const { alive, started } = processState(holder.pid);
  if (alive && (started === holder.started || started === null || holder.started === null)) {
    throw new UserError(
      `${folder} is in use by ${describe(holder)}; one run folder takes one process. Wait for it, or choose another folder`,
    );
  }
}

/**
 * Removes an abandoned lock. Two processes may find the same one: who comes second must not remove the lock that the first
 * has made meanwhile. So a second file guards the removal, and the lock is looked at again behind it.
 */
function removeAbandoned(folder: string, path: string, content: string): void {
  const guard = `${path}.takeover`;
  if (!create(guard, '')) {
    if (ageOf(guard) > ABANDONED_AFTER) rmSync(guard, { force: true });
    else throw new UserError(`${folder} is just being taken over by another process; try again in a few seconds`);
    return;
  }
  try {
    if (readIfThere(path) === content) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function holderOf(content: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(content));
  } catch {
    return undefined;
  }
}

function describe(holder: Holder | undefined): string {
  return holder === undefined ? 'a process' : `process ${holder.pid} on ${holder.host}`;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Milliseconds since a file was written; 0 if it is gone. */
function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}
