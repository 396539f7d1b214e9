import { mkdir, rmdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { errorCode, writeError } from './file-error.js';
import { makeFolder } from './make-folder.js';

/** What a new folder is called. */
export interface NewFolder {
  /** What it lies in. */
  readonly parent: string;
  /** The data: a path, or the name of a data set. */
  readonly source: string;
  /** What else it is called, such as `-enhancement`. */
  readonly ending?: string;
}

/** Bytes of a source's name that its folder is named by: no file system takes more than 255, and more is added. */
const NAME_BYTES = 180;

/**
 * Works in a folder that was not there, named after the data: `runs/fraud`, or with a number behind it where that is taken, be
 * it by another process in this moment. It is taken away again if nothing came into it.
 */
export async function inNewFolder<Result>(
  { parent, source, ending = '' }: NewFolder,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const removeParent = await makeFolder(parent);
  try {
    const unpacked = source.replace(/\.gz$/i, '');
    const name = `${shortened(basename(unpacked, extname(unpacked))) || 'data'}${ending}`;
    const folder = await claim(join(parent, name));
    try {
      return await work(folder);
    } finally {
      await rmdir(folder).catch(() => undefined); // not if there is something in it
    }
  } finally {
    await removeParent();
  }
}

/** To make a folder is what a file system grants to one process only. */
async function claim(name: string): Promise<string> {
  for (let i = 1; ; i++) {
    const path = i === 1 ? name : `${name}-${i}`;
    try {
      await mkdir(path);
      return path;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw writeError(path, error);
    }
  }
}

function shortened(name: string): string {
  let kept = name;
  while (Buffer.byteLength(kept) > NAME_BYTES) kept = [...kept].slice(0, -1).join('');
  return kept;
}
