import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeTemporaryFiles } from '../../src/files/atomic-file.js';
import { FolderLock } from '../../src/files/folder-lock.js';
import { processState } from '../../src/files/process-state.js';
import { Child } from '../runs/child-process.js';
import { temporaryFolder } from '../runs/examples.js';

/** Locks the folders it is given, says which it got and why not the others, and lives on. */
const LOCKING = `
  const { FolderLock } = await import(dist + 'files/folder-lock.js');
  for (const folder of process.argv.slice(1)) {
    try {
      FolderLock.acquire(folder);
      console.log('locked ' + folder);
    } catch (error) {
      console.log(error.name + ': ' + error.message);
    }
  }
  console.log('done');
  setInterval(() => {}, 1000);
`;

/** Waits for a word before it locks. */
const LOCKING_WHEN_TOLD = `
  console.log('ready');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  ${LOCKING}
`;

/** Finds locks abandoned, has the right to remove each, and is killed before it does. */
const FAILING_TO_REMOVE = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { rmSync } = fs;
  let killed = false;
  fs.rmSync = (path, options) => {
    killed ||= path.endsWith('/lock');
    if (killed) throw new Error('killed');
    rmSync(path, options);
  };
  syncBuiltinESMExports();
  const { FolderLock } = await import(dist + 'files/folder-lock.js');
  for (const folder of process.argv.slice(1)) {
    killed = false;
    try {
      FolderLock.acquire(folder);
    } catch {}
  }
  process.kill(process.pid, 'SIGKILL');
`;

/**
 * Locks folders, each when it reads a number; waits for a word before that many changes of the disk, or at the end if there
 * are fewer, and then says what became of it.
 */
const STEPWISE = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  function lineRead() {
    const byte = Buffer.alloc(1);
    for (let line = ''; ; ) {
      try {
        if (fs.readSync(0, byte) === 0) process.exit();
        if (byte.toString() === '\\n') return line;
        line += byte;
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
  }
  let left = 0;
  let folder = '';
  function wait() {
    console.log('waiting in ' + folder);
    lineRead();
  }
  for (const name of ['openSync', 'linkSync', 'renameSync', 'rmSync', 'unlinkSync']) {
    const change = fs[name];
    fs[name] = (...args) => {
      if ((name !== 'openSync' || args[1] === 'wx') && --left === 0) wait();
      return change(...args);
    };
  }
  syncBuiltinESMExports();
  const { FolderLock } = await import(dist + 'files/folder-lock.js');
  for (folder of process.argv.slice(1)) {
    left = Number(lineRead());
    let became = 'locked ';
    try {
      FolderLock.acquire(folder);
    } catch (error) {
      if (error.name !== 'UserError') throw error;
      became = 'refused ';
    }
    if (left > 0) wait();
    console.log(became + folder);
  }
`;

/** Waits for a word in the middle of a take-over: before it has the right to remove the lock, or before it removes it. */
const PAUSING = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { linkSync, rmSync, readSync } = fs;
  const moment = process.argv.pop();
  let paused = false;
  const pause = () => {
    if (paused) return;
    paused = true;
    console.log('waiting');
    for (;;) {
      try {
        readSync(0, Buffer.alloc(9));
        return;
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
      }
    }
  };
  fs.linkSync = (from, to) => {
    if (moment === 'right' && to.includes('takeover')) pause();
    linkSync(from, to);
  };
  fs.rmSync = (path, options) => {
    if (moment === 'removal' && path.endsWith('/lock')) pause();
    rmSync(path, options);
  };
  syncBuiltinESMExports();
  ${LOCKING}
`;

/** Folders with the lock of a process that is gone. */
async function abandonedIn(parent: string, count = 100): Promise<string[]> {
  const folders = Array.from({ length: count }, (_, i) => join(parent, `run${i}.`));
  for (const folder of folders) {
    await mkdir(folder);
    await writeFile(join(folder, 'lock'), lockOf(process.pid, 'long ago'));
  }
  return folders;
}

/** What four processes say that lock folders at once. */
async function lockedByFour(folders: readonly string[]): Promise<string[]> {
  const children = Array.from({ length: 4 }, () => new Child(LOCKING_WHEN_TOLD, folders));
  for (const child of children) await child.said('ready');
  for (const child of children) child.tell('go');
  for (const child of children) await child.said('done');
  for (const child of children) child.kill('SIGKILL');
  return Promise.all(children.map(async (child) => (await child.ended()).output));
}

const lockOf = (pid: number, started: string | null, host = hostname()) => JSON.stringify({ pid, started, host });

describe('fault 13: two processes, one run folder', () => {
  it('the second is refused while the first lives, and gets the folder when it was killed', async () => {
    const folder = await temporaryFolder();
    const first = new Child(LOCKING, [folder]);
    await first.said('done');
    expect(() => FolderLock.acquire(folder)).toThrow(
      `${folder} is in use by process ${first.pid} on ${hostname()}; one run folder takes one process. Wait for it, or ` +
        'choose another folder',
    );
    first.kill('SIGKILL');
    await first.ended();
    const lock = FolderLock.acquire(folder);
    expect(lock.note).toBe(
      `${folder} was locked by process ${first.pid} on ${hostname()}, which ended without releasing it; the lock was taken over`,
    );
    lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('the number of the dead process may belong to another one by now', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'lock'), lockOf(process.pid, 'long ago'));
    expect(FolderLock.acquire(folder).note).toContain(`was locked by process ${process.pid}`);
    expect(JSON.parse(await readFile(join(folder, 'lock'), 'utf8'))).toEqual({
      pid: process.pid,
      started: processState(process.pid).started,
      host: hostname(),
    });
  });

  it('one process cannot lock a folder twice', async () => {
    const folder = await temporaryFolder();
    FolderLock.acquire(folder);
    expect(() => FolderLock.acquire(folder)).toThrow(`${folder} is in use by process ${process.pid}`);
  });

  it('a process of another computer cannot be asked; the message says what to do', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'lock'), lockOf(1, null, 'elsewhere'));
    expect(() => FolderLock.acquire(folder)).toThrow(
      `${folder} is in use by process 1 on elsewhere, another computer, as far as can be told from here. If that process is ` +
        `gone, delete the file ${join(folder, 'lock')} and try again`,
    );
  });

  it('a lock that is just being written counts, one that never was finished does not', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'lock');
    await writeFile(file, '{"pid":12');
    expect(() => FolderLock.acquire(folder)).toThrow(
      `${folder} is just being locked by another process; try again in a few seconds`,
    );
    const old = new Date(Date.now() - 60_000);
    await utimes(file, old, old);
    expect(FolderLock.acquire(folder).note).toContain('was locked by a process, which ended');
  });

  it('a take-over that was killed in the middle does not block the folder, nor does the next one', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'lock'), lockOf(process.pid, 'long ago'));
    for (const takeovers of [1, 2]) {
      await new Child(FAILING_TO_REMOVE, [folder]).ended();
      expect(await readdir(folder)).toHaveLength(1 + takeovers);
    }
    FolderLock.acquire(folder);
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('who has found an abandoned lock, and comes after another has taken it over, is refused', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'lock'), lockOf(process.pid, 'long ago'));
    const late = new Child(PAUSING, [folder, 'right']);
    await late.said('waiting');
    const lock = FolderLock.acquire(folder);
    await removeTemporaryFiles(folder); // as resuming does
    late.tell('go');
    await late.said('done');
    expect((await readFile(join(folder, 'lock'), 'utf8')).includes(`"pid":${process.pid},`)).toBe(true);
    lock.release();
    expect(await readdir(folder)).toEqual([]);
    late.kill('SIGKILL');
    expect((await late.ended()).output).toContain(`UserError: ${folder} is in use by process ${process.pid}`);
  });

  it('while one is about to remove an abandoned lock, nobody else does', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'lock'), lockOf(process.pid, 'long ago'));
    const first = new Child(PAUSING, [folder, 'removal']);
    await first.said('waiting');
    expect(() => FolderLock.acquire(folder)).toThrow(
      `${folder} is just being taken over by another process; try again in a few seconds`,
    );
    first.tell('go');
    await first.said(`locked ${folder}`);
    expect(() => FolderLock.acquire(folder)).toThrow(`${folder} is in use by process ${first.pid}`);
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('of four processes that find the same locks and take-overs abandoned at once, each goes to exactly one', async () => {
    const parent = await temporaryFolder();
    const folders = await abandonedIn(parent);
    await new Child(FAILING_TO_REMOVE, folders).ended();
    expect(await readdir(folders[0] ?? '')).toHaveLength(2);
    const outputs = await lockedByFour(folders);
    for (const folder of folders) {
      const [owner, ...others] = outputs.filter((output) => output.includes(`locked ${folder}\n`));
      expect([owner === undefined, others]).toEqual([false, []]);
      expect(await readdir(folder)).toEqual(['lock']);
    }
  });

  it('of two processes that take over an abandoned take-over, one gets the lock, whenever each of them is held up', async () => {
    const moments = 12;
    const folders = await abandonedIn(await temporaryFolder(), moments ** 2);
    await new Child(FAILING_TO_REMOVE, folders).ended();
    const longAgo = new Date(Date.now() - 60_000);
    for (const folder of folders) {
      for (const name of await readdir(folder)) await utimes(join(folder, name), longAgo, longAgo);
    }
    const [one, other] = [new Child(STEPWISE, folders), new Child(STEPWISE, folders)];
    for (const [i, folder] of folders.entries()) {
      one.tell(`${1 + (i % moments)}\n`);
      await one.said(`waiting in ${folder}\n`);
      other.tell(`${1 + Math.floor(i / moments)}\n`);
      await other.said(`waiting in ${folder}\n`);
      for (const child of [one, other]) {
        child.tell('\n');
        await child.said(`ed ${folder}\n`);
      }
    }
    const outputs = await Promise.all([one, other].map(async (child) => (await child.ended()).output));
    const owners = folders.map((folder) => outputs.filter((output) => output.includes(`locked ${folder}\n`)).length);
    expect(owners).toEqual(folders.map(() => 1));
  });

  it('of four processes that find the same abandoned locks at once, each lock goes to exactly one', async () => {
    const folders = await abandonedIn(await temporaryFolder());
    const outputs = await lockedByFour(folders);
    for (const folder of folders) {
      expect(outputs.filter((output) => output.includes(`locked ${folder}\n`))).toHaveLength(1);
    }
    expect(outputs.filter((output) => output.includes('locked'))).not.toHaveLength(1);
  });

  it('release leaves the lock of another process alone', async () => {
    const folder = await temporaryFolder();
    const lock = FolderLock.acquire(folder);
    const other = lockOf(1, null, 'elsewhere');
    await writeFile(join(folder, 'lock'), other);
    lock.release();
    expect(await readFile(join(folder, 'lock'), 'utf8')).toBe(other);
  });
});

describe.skipIf(process.platform === 'win32')('fault 58: something else has the name of the lock', () => {
  it.each<[kind: string, make: (path: string) => unknown]>([
    ['a named pipe', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdir(path)],
    ['a link', (path) => symlink('nowhere', path)],
    ['a link', (path) => symlink(path, path)],
    ['a link', (path) => symlink('/dev/zero', path)],
  ])('%s is refused by name, and nothing waits', async (kind, make) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'lock');
    await make(path);
    const child = new Child(LOCKING, [folder]);
    await child.said('done');
    child.kill('SIGKILL');
    expect((await child.ended()).output).toBe(
      `UserError: ${path} is ${kind}; expected the lock of this folder, a file, or nothing. Remove it and try again\ndone\n`,
    );
    expect(await readdir(folder)).toEqual(['lock']);
  });
});

it('a process that has ended is gone, and one that lives has a start', async () => {
  const child = new Child('');
  await child.ended();
  expect(processState(child.pid).alive).toBe(false);
  expect(processState(process.pid).alive).toBe(true);
  expect(processState(process.pid)).toEqual(processState(process.pid));
});
