import { basename, extname } from 'node:path';
import { inClassOrder } from '../dataset/class-order.js';
import { type FolderEntry, listFolder, walkFolder } from '../files/walk-folder.js';
import { UserError } from '../user-error.js';

/** The files below a folder whose sub-folders are classes. What they hold is not looked at. */
interface FolderListing {
  readonly classNames: readonly string[];
  /** Relative to the folder, with `/` between names: class after class, sorted within a class. */
  readonly files: readonly { readonly file: string; readonly label: number }[];
  /** What was passed over: links to folders, and what is neither file nor folder. */
  readonly skipped: readonly FolderEntry[];
  /** Files that stand in no class folder, and hidden ones. */
  readonly ignored: readonly string[];
}

/**
 * Lists an image folder: every sub-folder that is not hidden or excluded is a class, and all files below it, at any depth,
 * belong to that class. Links to files count as files.
 *
 * @throws UserError if it cannot be read or has no sub-folders
 */
export async function listImageFolder(folder: string, exclude: readonly string[]): Promise<FolderListing> {
  const entries = await listFolder(folder);
  const classFolders = entries
    .filter(({ kind, path }) => kind === 'a folder' && !exclude.includes(path))
    .map(({ path }) => path);
  if (classFolders.length === 0) {
    throw new UserError(
      `${folder} has no class folders; expected one sub-folder per class, named like it, with the images of that class inside`,
    );
  }
  const classNames = inClassOrder(classFolders);
  const files: { file: string; label: number }[] = [];
  const passedOver = entries.filter(({ kind }) => kind !== 'a folder');
  for (const [label, className] of classNames.entries()) {
    const walked = await walkFolder(folder, className);
    for (const file of walked.files) files.push({ file, label });
    passedOver.push(...walked.skipped);
  }
  const isIgnored = ({ kind }: FolderEntry) => kind === 'hidden' || kind === 'a file';
  return {
    classNames,
    files,
    skipped: passedOver.filter((entry) => !isIgnored(entry)),
    ignored: passedOver.filter(isIgnored).map(({ path }) => path),
  };
}

/** `3 files (2 .txt, 1 .db)`: how many files there are of each kind, the most common first. */
export function countByExtension(files: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const file of files) {
    const kind = basename(file).startsWith('.') ? 'hidden' : extname(file).toLowerCase() || 'without extension';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${count} ${kind}`);
  return `${files.length} ${files.length === 1 ? 'file' : 'files'} (${kinds.join(', ')})`;
}
