import { UserError } from '../user-error.js';

/** The system's name for what went wrong, such as `ENOENT`; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** A failed write in plain words. Errors that are not the user's to mend stay as they are. */
export function writeError(path: string, error: unknown): unknown {
  const reason = REASONS.get(errorCode(error) ?? '');
  return reason === undefined ? error : new UserError(`cannot write ${path}: ${reason}`, { cause: error });
}

const FULL = 'the disk is full, or the quota is used up; free some space and resume. What was there before is kept';
const DENIED =
  'this user may not; expected a folder with write permission. Change its permissions or choose another one';

const REASONS = new Map([
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['EACCES', DENIED],
  ['EPERM', DENIED],
  ['EROFS', 'the file system is read-only; choose a folder on another one'],
  ['ENOTDIR', 'a part of this path is a file; expected a folder. Choose another path'],
  ['EEXIST', 'a file is in the way; expected a folder. Choose another path'],
]);
