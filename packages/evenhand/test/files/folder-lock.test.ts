import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

  it('a take-over that was killed in the middle does not block the folder', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'lock'), lockOf(process.pid, 'long ago'));
    const guard = join(folder, 'lock.takeover');
    await writeFile(guard, '');
    expect(() => FolderLock.acquire(folder)).toThrow(`${folder} is just being taken over by another process`);
    const old = new Date(Date.now() - 60_000);
    await utimes(guard, old, old);
    FolderLock.acquire(folder);
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('of four processes that find the same abandoned locks at once, each lock goes to exactly one', async () => {
    const parent = await temporaryFolder();
    const folders = Array.from({ length: 100 }, (_, i) => join(parent, `run${i}.`));
    for (const folder of folders) {
      await mkdir(folder);
      await writeFile(join(folder, 'lock'), lockOf(process.pid, 'long ago'));
    }
    const children = Array.from({ length: 4 }, () => new Child(LOCKING_WHEN_TOLD, folders));
    for (const child of children) await child.said('ready');
    for (const child of children) child.tell('go');
    for (const child of children) await child.said('done');
    for (const child of children) child.kill('SIGKILL');
    const outputs = await Promise.all(children.map(async (child) => (await child.ended()).output));
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

it('a process that has ended is gone, and one that lives has a start', async () => {
  const child = new Child('');
  await child.ended();
  expect(processState(child.pid).alive).toBe(false);
  expect(processState(process.pid).alive).toBe(true);
  expect(processState(process.pid)).toEqual(processState(process.pid));
});
