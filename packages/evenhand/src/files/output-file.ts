import { constants, type Stats } from 'node:fs';
import { access, open, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UserError } from '../user-error.js';
import { writeAtomically } from './atomic-file.js';
import { errorCode, writeError } from './file-error.js';
import { kindOf } from './file-kind.js';

/** Writes what a command came to. */
export type WriteOutput = (data: string | Uint8Array) => Promise<void>;

/**
 * Makes sure that a file which a person named can be written, before the work for it is done. Pipes and devices are written
 * to. Of a link, its target is written. A file is replaced as a whole and keeps its permissions.
 *
 * @param inputs - files that the work reads: none of them is written over, whatever it is called here
 * @throws {@link UserError} if it cannot be written, or is one of the inputs
 */
export async function prepareOutput(path: string, inputs: readonly string[] = []): Promise<WriteOutput> {
  if (path === '') throw new UserError('the name of the file to write is empty; expected a path, such as out.csv');
  try {
    const there = await statIfThere(path);
    if (there === undefined) return await newFile(path);
    await refuseInputs(path, there, inputs);
    const kind = kindOf(there);
    if (kind === 'a file') return await existingFile(path, there);
    if (kind === 'a folder' || kind === 'a socket') {
      throw new UserError(`cannot write ${path}: it is ${kind}; expected a file. Choose another path`);
    }
    return (data) => writeInto(path, data);
  } catch (error) {
    throw writeError(path, error);
  }
}

async function newFile(path: string): Promise<WriteOutput> {
  const target = await endOfLinks(path);
  await access(dirname(target), constants.W_OK);
  return (data) => writeAtomically(target, data);
}

async function existingFile(path: string, like: Stats): Promise<WriteOutput> {
  const target = await realpath(path);
  // To replace a file is a matter of its folder; that nobody may write it still counts.
  await access(target, constants.W_OK);
  await access(dirname(target), constants.W_OK);
  return (data) => writeAtomically(target, data, { like });
}

/** A pipe waits for its reader here. */
async function writeInto(path: string, data: string | Uint8Array): Promise<void> {
  try {
    const file = await open(path, constants.O_WRONLY);
    try {
      await file.writeFile(data);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw writeError(path, error);
  }
}

async function refuseInputs(path: string, output: Stats, inputs: readonly string[]): Promise<void> {
  for (const input of inputs) {
    const read = await statIfThere(input);
    if (read?.dev !== output.dev || read.ino !== output.ino || kindOf(read) !== 'a file') continue;
    throw new UserError(`cannot write ${path}: it is the same file as ${input}, which is read; choose another path`);
  }
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Where links lead to that lead nowhere yet. That they lead in a circle was found out before. */
async function endOfLinks(path: string): Promise<string> {
  const next = await readlink(path).catch(() => undefined);
  return next === undefined ? path : endOfLinks(resolve(dirname(path), next));
}
