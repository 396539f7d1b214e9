import type { FolderEntry } from '../files/walk-folder.js';

/** More than this are counted, not named. */
const NAMED = 20;

/** What to say of what was passed over in a folder, but for what is hidden. */
export function skippedNotes(skipped: readonly FolderEntry[]): string[] {
  const links = skipped.filter(({ kind }) => kind === 'a link to a folder').map(({ path }) => path);
  const others = skipped
    .filter(({ kind }) => kind !== 'a link to a folder' && kind !== 'hidden')
    .map(({ path, kind }) => `${path} is ${kind}`);
  return [
    ...(links.length === 0 ? [] : [`Links to folders are not followed: ${listOf(links)}`]),
    ...(others.length === 0 ? [] : [`Only files are read: ${listOf(others)}`]),
  ];
}

function listOf(texts: readonly string[]): string {
  const named = texts.slice(0, NAMED).join(', ');
  return texts.length > NAMED ? `${named} and ${texts.length - NAMED} more` : named;
}
