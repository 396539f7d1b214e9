import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../user-error.js';
import { isTemporary, temporaryName } from './atomic-file.js';
import { errorCode, readError, writeError } from './file-error.js';
import { kindOf } from './file-kind.js';
import { processState } from './process-state.js';

/** The lock's name in a run folder. */
const LOCK_FILE = 'lock';

/** A lock without readable content that is older than this was left by a process that was killed in the middle. */
const ABANDONED_AFTER = 5_000;

/** What the files are called, beside a lock, that give the right to remove it. */
const TAKEOVER = '.takeover-';

/** Bytes of a lock that are read; ours are shorter. */
const LONGEST_LOCK = 4096;

const holderSchema = z.strictObject({ pid: z.int().min(1), started: z.string().nullable(), host: z.string() });

type Holder = z.output<typeof holderSchema>;

/** A lock as it was found. */
interface Found {
  readonly content: string;
  /** Of this file and no other, be it of the same name and content. */
  readonly identity: string;
  /** Milliseconds since it was written. */
  readonly age: number;
}

/** Whether a folder is locked, or was by a process that is gone. */
export function isLocked(folder: string): boolean {
  return existsSync(join(folder, LOCK_FILE));
}

/** The living process that has locked a folder, as far as can be told; undefined if there is none. */
export function lockHolder(folder: string): { readonly pid: number; readonly isHere: boolean } | undefined {
  let found: Found | undefined;
  try {
    found = readLock(join(folder, LOCK_FILE));
  } catch {
    return undefined; // whoever wants to write there is told
  }
  const holder = found === undefined ? undefined : holderOf(found);
  if (holder === undefined) return undefined;
  const isHere = holder.host === hostname();
  return isHere && !isAlive(holder) ? undefined : { pid: holder.pid, isHere };
}

/** Whether a file of this name in a folder has to do with its lock. */
export function isOfLock(name: string): boolean {
  return name === LOCK_FILE || name.startsWith(`${LOCK_FILE}.`);
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
      const found = readLock(path);
      if (found === undefined) continue; // released in this moment
      checkAbandoned(folder, path, found);
      removeAbandoned(folder, path, found, content);
      note = `${folder} was locked by ${describe(holderOf(found))}, which ended without releasing it; the lock was taken over`;
    }
    removeTakeovers(path);
    return new FolderLock(path, content, note);
  }

  /** Lets others have the folder. */
  release(): void {
    if (readLock(this.#path)?.content === this.#content) rmSync(this.#path, { force: true });
  }
}

/**
 * Creates the file unless it is there: the one operation that a file system grants to one process only. It has its content
 * from the first moment on: what is written under another name is linked to this one.
 */
function create(path: string, content: string): boolean {
  const temporary = temporaryName(path);
  try {
    writeNew(temporary, content);
    linkSync(temporary, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    // Who got the lock meanwhile has tidied up.
    if (code === 'ENOENT' && existsSync(dirname(path))) return create(path, content);
    if (code !== undefined && WITHOUT_LINKS.includes(code)) return createDirectly(path, content);
    throw writeError(path, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** How file systems say that a file cannot have two names. */
const WITHOUT_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

function createDirectly(path: string, content: string): boolean {
  try {
    writeNew(path, content);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw writeError(path, error);
  }
}

function writeNew(path: string, content: string): void {
  const file = openSync(path, 'wx');
  try {
    writeSync(file, content);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Refuses unless the process is gone that made a lock.
 *
 * @param path - of the lock
 */
function checkAbandoned(folder: string, path: string, found: Found): void {
  const holder = holderOf(found);
  if (holder === undefined) {
    // Where it cannot be made at once, it is empty for as long as it takes to write a line.
    if (found.age > ABANDONED_AFTER) return;
    throw new UserError(`${folder} is just being locked by another process; try again in a few seconds`);
  }
  if (holder.host !== hostname()) {
    throw new UserError(
      `${folder} is in use by ${describe(holder)}, another computer, as far as can be told from here. If that ` +
        `process is gone, delete the file ${path} and try again`,
    );
  }
  if (isAlive(holder)) {
    throw new UserError(
      `${folder} is in use by ${describe(holder)}; one run folder takes one process. Wait for it, or choose another folder`,
    );
  }
}

function isAlive(holder: Holder): boolean {
  const { alive, started } = processState(holder.pid);
  return alive && (started === holder.started || started === null || holder.started === null);
}

/**
 * Removes an abandoned lock. Several processes may find the same one, and none may remove the lock that another has made
 * meanwhile. So the right to remove this very lock is a file of its own, named after it, which one process can create. If that
 * process was killed, the right passes on to whoever creates the file that is named after its file, and so on: there is one
 * living process at most at the end of this chain, and the lock cannot become another one before it has removed it.
 */
function removeAbandoned(folder: string, path: string, lock: Found, own: string): void {
  const chain: string[] = [];
  for (let last = lock; ; ) {
    const right = `${path}${TAKEOVER}${createHash('sha256').update(last.identity).digest('hex').slice(0, 16)}`;
    chain.push(right);
    if (create(right, own)) break;
    const before = readLock(right);
    if (before === undefined) return; // somebody was faster, and is done
    const holder = holderOf(before);
    if (holder === undefined ? before.age <= ABANDONED_AFTER : holder.host !== hostname() || isAlive(holder)) {
      throw new UserError(`${folder} is just being taken over by another process; try again in a few seconds`);
    }
    last = before;
  }
  if (readLock(path)?.identity === lock.identity) rmSync(path, { force: true });
  // From the end on: as long as one is there, those before it give nobody the right.
  for (const right of chain.reverse()) rmSync(right, { force: true });
}

/** What a killed process left of a take-over. It was of a lock that is gone, for now this process has it. */
function removeTakeovers(path: string): void {
  const begin = `${basename(path)}${TAKEOVER}`;
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(begin) && !isTemporary(name))
      rmSync(join(dirname(path), name), { recursive: true, force: true });
  }
}

function holderOf({ content }: Found): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(content));
  } catch {
    return undefined;
  }
}

function describe(holder: Holder | undefined): string {
  return holder === undefined ? 'a process' : `process ${holder.pid} on ${holder.host}`;
}

/**
 * A lock, as far as it is one.
 *
 * @returns undefined if it is not there
 * @throws {@link UserError} if something else has its name
 */
function readLock(path: string): Found | undefined {
  const kind = kindIfThere(path);
  if (kind === undefined) return undefined;
  if (kind !== 'a file') {
    throw new UserError(
      `${path} is ${kind}; expected the lock of this folder, a file, or nothing. Remove it and try again`,
    );
  }
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw readError(path, error);
  }
  try {
    const bytes = Buffer.alloc(LONGEST_LOCK);
    const content = bytes.toString('utf8', 0, readSync(file, bytes));
    const { ino, mtimeNs, mtimeMs } = fstatSync(file, { bigint: true });
    return { content, identity: `${ino} ${mtimeNs} ${content}`, age: Date.now() - Number(mtimeMs) };
  } finally {
    closeSync(file);
  }
}

function kindIfThere(path: string): ReturnType<typeof kindOf> | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : kindOf(stats);
}
