import type { Stats } from 'node:fs';
import { UserError } from '../user-error.js';

/** What is behind a name. Only a file has an end: to read anything else could wait, or go on, for ever. */
export type FileKind = 'a file' | 'a folder' | 'a named pipe' | 'a socket' | 'a device' | 'a link';

/** @param stats - what the system says of it, as a whole or in the list of its folder */
export function kindOf(
  stats: Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket' | 'isSymbolicLink'>,
): FileKind {
  if (stats.isFile()) return 'a file';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isSymbolicLink() ? 'a link' : 'a device';
}

/** @throws {@link UserError} if it is anything but a file */
export function refuseOtherKinds(path: string, stats: Stats, expected = 'an ordinary file is expected'): void {
  const kind = kindOf(stats);
  if (kind !== 'a file') throw new UserError(`${path} is ${kind}; ${expected}`);
}
