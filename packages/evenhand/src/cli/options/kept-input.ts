import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../../files/atomic-file.js';
import { makeFolder } from '../../files/make-folder.js';
import { openStandardInput, STANDARD_INPUT } from '../../files/standard-input.js';
import { fileChunks } from '../../tables/file-chunks.js';
import { tableFileEnding } from '../../tables/read-table.js';
import type { Terminal } from '../terminal/terminal.js';
import { printable } from '../terminal/text.js';
import type { GivenConfig } from './given-config.js';

/** Letters of a hash that tell one table from another. */
const HASH_LETTERS = 12;

const CHUNK = 2 ** 18;

/**
 * Works with a configuration whose data can be read again: if it is the standard input, that is kept as a file, for training that
 * goes on after a pause, or in other processes. The file is named after its content: the same data is kept once.
 *
 * @param folder - what the file is put into
 * @param work - says, by calling `use`, whether a run was begun; the file is removed again if none was
 */
export async function withKeptInput(
  terminal: Terminal,
  given: GivenConfig,
  folder: string,
  work: (given: GivenConfig, use: (isUsed: boolean) => void) => Promise<void>,
): Promise<void> {
  const { data } = given;
  if (typeof data !== 'object' || data === null || !('source' in data) || data.source !== STANDARD_INPUT) {
    return work(given, () => undefined);
  }
  const handle = await openStandardInput();
  const hash = createHash('sha256');
  for await (const chunk of fileChunks(handle, 0, CHUNK)) hash.update(chunk);
  const name = `stdin-${hash.digest('hex').slice(0, HASH_LETTERS)}${await tableFileEnding(handle)}`;
  const path = join(folder, name);
  const isNew = !existsSync(path);
  const removeMade = await makeFolder(folder);
  let isUsed = false;
  try {
    if (isNew) await writeAtomically(path, fileChunks(handle, 0, CHUNK));
    await work({ ...given, data: { ...data, source: path } }, (used) => {
      isUsed = used;
    });
  } finally {
    if (isUsed)
      terminal.note(`note: the standard input is kept as ${printable(path)}, from which the run can be resumed.`);
    else if (isNew) await rm(path, { force: true });
    await removeMade(); // not if there is something in it
  }
}
