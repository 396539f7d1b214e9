import { UserError } from '../user-error.js';

/** The system's name for what went wrong, such as `ENOENT`; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** A failed write in plain words. Errors that are not the user's to mend stay as they are. */
export function writeError(path: string, error: unknown): unknown {
  return inPlainWords(`cannot write ${path}`, { ...REASONS, ...WRITING }, error);
}

/** A failed read in plain words. Errors that are not the user's to mend stay as they are. */
export function readError(path: string, error: unknown): unknown {
  return inPlainWords(`cannot read ${path}`, { ...REASONS, ...READING }, error);
}

/** Any error of the system in plain words, for where nothing is known of what was to be done. Others stay as they are. */
export function systemError(error: unknown): unknown {
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  const syscall = error instanceof Error && 'syscall' in error ? String(error.syscall) : 'it';
  return inPlainWords(path === undefined ? `${syscall} failed` : `cannot use ${path}`, REASONS, error);
}

type Reasons = Readonly<Record<string, string>>;

function inPlainWords(what: string, reasons: Reasons, error: unknown): unknown {
  const code = errorCode(error) ?? '';
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return reason === undefined ? error : new UserError(`${what}: ${reason}`, { cause: error });
}

const FULL = 'the disk is full, or the quota is used up; free some space and resume. What was there before is kept';
const MANY = 'too many files are open; close other programs, or raise the limit (ulimit -n)';
const BROKEN = 'the disk, or the network that it is reached by, reports an error; check it, and try again';
const MAY_NOT_WRITE =
  'this user may not; expected a folder with write permission. Change its permissions or choose another one';
const MAY_NOT_READ = 'this user may not; expected a file with read permission. Change its permissions';

/** What every use of a file may meet. */
const REASONS: Reasons = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EACCES: 'this user may not; change its permissions, or choose another path',
  EPERM: 'this user may not; change its permissions, or choose another path',
  EROFS: 'the file system is read-only; choose a folder on another one',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of this path is a file; expected a folder. Choose another path',
  EISDIR: 'it is a folder; expected a file. Choose another path',
  ENAMETOOLONG: 'the name is too long for the file system; choose a shorter one',
  ELOOP: 'its links lead in a circle; expected a file or a folder',
  EFBIG:
    'it would be larger than the file system, or a limit (ulimit -f), allows; choose another place, or raise the limit',
  EIO: BROKEN,
  ESTALE: BROKEN,
  EREMOTEIO: BROKEN,
  ENODEV: BROKEN,
  EMFILE: MANY,
  ENFILE: MANY,
  EBUSY: 'another program uses it; close that, and try again',
  ETXTBSY: 'another program uses it; close that, and try again',
  EPIPE: 'who was to read it is gone',
  ENOMEM: 'there is not enough memory; close other programs',
};

const WRITING: Reasons = {
  EACCES: MAY_NOT_WRITE,
  EPERM: MAY_NOT_WRITE,
  ENOENT: 'its folder is not there; make it first, or choose another path',
  EEXIST: 'a file is in the way; expected a folder. Choose another path',
  ENOTEMPTY: 'a folder with something in it is in the way. Choose another path',
  ENXIO: 'nobody takes what is written there; choose another path',
};

const READING: Reasons = {
  EACCES: MAY_NOT_READ,
  EPERM: MAY_NOT_READ,
  ENOENT: 'there is no such file',
};
