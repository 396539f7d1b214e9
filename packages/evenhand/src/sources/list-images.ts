import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { inClassOrder } from '../dataset/class-order.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';

/** The files below a folder whose sub-folders are classes. What they hold is not looked at. */
interface FolderListing {
  readonly classNames: readonly string[];
  /** Relative to the folder, with `/` between names: class after class, sorted within a class. */
  readonly files: readonly { readonly file: string; readonly label: number }[];
  /** Links to folders. They are not followed: they could lead round in a circle. */
  readonly links: readonly string[];
  /** Files that stand in no class folder, hidden ones, and what is no file. */
  readonly ignored: readonly string[];
}

/**
 * Lists an image folder: every sub-folder that is not hidden or excluded is a class, and all files below it, at any depth,
 * belong to that class. Links to files count as files.
 *
 * @throws UserError if it cannot be read or has no sub-folders
 */
export async function listImageFolder(folder: string, exclude: readonly string[]): Promise<FolderListing> {
  const links: string[] = [];
  const ignored: string[] = [];
  const classFolders: string[] = [];
  for (const entry of await entriesOf(folder, '')) {
    const kind = await kindOf(folder, entry.name, entry);
    if (kind === 'link') links.push(entry.name);
    else if (kind !== 'folder') ignored.push(entry.name);
    else if (!exclude.includes(entry.name)) classFolders.push(entry.name);
  }
  if (classFolders.length === 0) {
    throw new UserError(
      `${folder} has no class folders; expected one sub-folder per class, named like it, with the images of that class inside`,
    );
  }
  const classNames = inClassOrder(classFolders);
  const files: { file: string; label: number }[] = [];
  for (const [label, className] of classNames.entries()) {
    const inClass: string[] = [];
    await walk(folder, className, { files: inClass, links, ignored });
    for (const file of inClass.sort()) files.push({ file, label });
  }
  return { classNames, files, links, ignored };
}

interface Found {
  readonly files: string[];
  readonly links: string[];
  readonly ignored: string[];
}

async function walk(folder: string, path: string, found: Found): Promise<void> {
  for (const entry of await entriesOf(folder, path)) {
    const inside = `${path}/${entry.name}`;
    const kind = await kindOf(folder, inside, entry);
    if (kind === 'folder') await walk(folder, inside, found);
    else if (kind === 'link') found.links.push(inside);
    else if (kind === 'file') found.files.push(inside);
    else found.ignored.push(inside);
  }
}

async function entriesOf(folder: string, path: string): Promise<Dirent[]> {
  try {
    return await readdir(join(folder, path), { withFileTypes: true });
  } catch (error) {
    throw new UserError(`${join(folder, path)} cannot be read as a folder (${errorMessage(error)})`);
  }
}

/** Devices and pipes are `other`: to open one may wait for ever. */
async function kindOf(folder: string, path: string, entry: Dirent): Promise<'folder' | 'link' | 'file' | 'other'> {
  if (entry.name.startsWith('.')) return 'other';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isSymbolicLink()) return entry.isFile() ? 'file' : 'other';
  const target = await stat(join(folder, path)).catch(() => undefined);
  if (target?.isDirectory()) return 'link';
  // A link that leads nowhere is found out when it is read.
  return target === undefined || target.isFile() ? 'file' : 'other';
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
