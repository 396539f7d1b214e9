import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { type FileKind, kindOf } from './file-kind.js';

/** What is below a folder. Paths are relative to it, with `/` between names. */
export interface WalkedFolder {
  readonly files: readonly string[];
  /** What was passed over: links to folders, what is hidden, and what is neither file nor folder. */
  readonly skipped: readonly FolderEntry[];
}

/** An entry of a folder, by what is done with it: a link to a file counts as that file. */
export interface FolderEntry {
  readonly path: string;
  readonly kind: FileKind | 'hidden' | 'a link to a folder';
}

/**
 * Lists what is in a folder itself, sorted: the one way to do so, for what a person names. Links to folders are not followed:
 * they could lead round in a circle.
 *
 * @param path - of the folder, relative to `root`
 * @throws {@link UserError} if it cannot be read
 */
export async function listFolder(root: string, path = ''): Promise<FolderEntry[]> {
  const folder = join(root, path);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new UserError(`${folder} cannot be read as a folder (${errorMessage(error)})`, { cause: error });
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return Promise.all(entries.map((entry) => entryOf(root, path === '' ? entry.name : `${path}/${entry.name}`, entry)));
}

/** Lists all files below a folder, at any depth: those of the folder and of every real folder in it, each once. */
export async function walkFolder(root: string, path = ''): Promise<WalkedFolder> {
  const files: string[] = [];
  const skipped: FolderEntry[] = [];
  const open = [path];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await listFolder(root, folder)) {
      if (entry.kind === 'a folder') open.push(entry.path);
      else if (entry.kind === 'a file') files.push(entry.path);
      else skipped.push(entry);
    }
  }
  return { files: files.sort(), skipped: skipped.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

async function entryOf(root: string, path: string, entry: Dirent): Promise<FolderEntry> {
  if (entry.name.startsWith('.')) return { path, kind: 'hidden' };
  if (!entry.isSymbolicLink()) return { path, kind: kindOf(entry) };
  const target = await stat(join(root, path)).catch(() => undefined);
  if (target === undefined) return { path, kind: 'a file' }; // that it leads nowhere is found out when it is read
  return { path, kind: target.isDirectory() ? 'a link to a folder' : kindOf(target) };
}
