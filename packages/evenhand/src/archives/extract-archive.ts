import { once } from 'node:events';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { win32 } from 'node:path';
import { extract, Parser, type ReadEntry } from 'tar';
import { openFile } from '../files/read-file.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';

/** How much an archive may hold. */
export interface ArchiveLimits {
  /** Of all files together, as they come out of the decompression, whatever the archive's headers say. */
  readonly maximumBytes: number;
  readonly maximumEntries: number;
}

const FILES_AND_FOLDERS: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory']);

/**
 * Unpacks a `.tar`, `.tar.gz` or `.tgz` file into a folder that is not there yet. The whole archive is read and checked before
 * anything is written: one entry that leads outside, or is neither a file nor a folder, and nothing is unpacked.
 *
 * @throws UserError if the archive is damaged, refused or too large
 */
export async function extractArchive(archive: string, folder: string, limits: ArchiveLimits): Promise<void> {
  await inspect(archive, limits);
  const temporary = await mkdtemp(`${folder}.`);
  try {
    await extract({
      file: archive,
      cwd: temporary,
      strict: true,
      preserveOwner: false,
      zstd: false,
      filter: plainMode,
    });
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
    throw refusedArchiveError(archive, `unpacking it failed: ${errorMessage(error)}`);
  }
}

/** No setuid bits, and nothing that its owner cannot read. */
function plainMode(_path: string, entry: { mode?: number }): boolean {
  entry.mode = ((entry.mode ?? 0) & 0o777) | 0o600;
  return true;
}

/** Reads the archive to its end, or to the first thing wrong with it, and keeps nothing of it. */
async function inspect(archive: string, limits: ArchiveLimits): Promise<void> {
  let problem: string | undefined;
  let entries = 0;
  let bytes = 0;
  const check = (entry: ReadEntry): void => {
    problem ??= entryProblem(entry);
    if (++entries > limits.maximumEntries) problem ??= `it has more than ${limits.maximumEntries} entries`;
    entry.on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes > limits.maximumBytes) problem ??= `it unpacks to more than ${limits.maximumBytes} bytes`;
    });
  };
  const parser = new Parser({ strict: true, zstd: false, onReadEntry: check });
  parser.on('ignoredEntry', check);
  parser.on('error', (error) => {
    problem ??= `it is damaged, or no tar archive: ${errorMessage(error)}`;
  });

  const closed = once(parser, 'close').catch(() => undefined);
  try {
    for await (const chunk of (await openFile(archive)).createReadStream()) {
      parser.write(chunk);
      if (problem !== undefined) break;
    }
  } catch (error) {
    problem ??= `it cannot be read: ${errorMessage(error)}`;
  }
  if (problem === undefined) {
    parser.end();
    await closed;
  }
  if (problem !== undefined) throw refusedArchiveError(archive, problem);
}

function entryProblem({ path, type }: ReadEntry): string | undefined {
  if (!FILES_AND_FOLDERS.has(type)) return `its entry ${JSON.stringify(path)} is a ${type}, neither file nor folder`;
  const nul = path.indexOf('\0');
  if (nul >= 0) return `its entry ${JSON.stringify(path.slice(0, nul + 1))}… has a name that no file can have`;
  // Windows knows all the roots of other systems, and drive letters.
  if (win32.parse(path).root !== '') return `its entry ${JSON.stringify(path)} has an absolute path`;
  if (path.split(/[\\/]/).includes('..')) return `its entry ${JSON.stringify(path)} leads outside the folder`;
  return undefined;
}

function refusedArchiveError(archive: string, reason: string): UserError {
  return new UserError(
    `${archive}: ${reason}. Nothing was unpacked; get the archive again from a source that you trust.`,
  );
}
