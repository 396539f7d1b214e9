import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

const run = promisify(execFile);

/**
 * The largest tarball of each package, in bytes: about a quarter above what it is. Raise one with the change that makes it larger, and
 * say why it is worth it.
 */
export const LARGEST_TARBALLS = {
  evenhand: 6_500_000,
  '@evenhand/encoding': 95_000,
  '@evenhand/engine': 350_000,
  '@evenhand/paper': 400_000,
  '@evenhand/resampling': 60_000,
  '@evenhand/streams': 25_000,
  '@evenhand/tfjs': 35_000,
  '@evenhand/trees': 160_000,
};

/** The packages that are published. */
export function publishedPackages() {
  return readdirSync(join(repository, 'packages'))
    .map((folder) => join(repository, 'packages', folder, 'package.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')))
    .filter((manifest) => manifest.private !== true);
}

/** Packs the packages into a folder; what npm says of each tarball. */
export async function pack(names, folder) {
  const words = ['pack', '--json', '--pack-destination', folder, ...names.flatMap((name) => ['--workspace', name])];
  const shell = process.platform === 'win32';
  const { stdout } = await run('npm', words, { cwd: repository, shell, maxBuffer: 2 ** 26 });
  // npm 12 prints an object by name, npm 10 and 11 an array.
  return Object.values(JSON.parse(stdout)).map(({ name, version, filename, size, unpackedSize, files }) => ({
    ...{ name, version, filename, size, unpackedSize },
    files: files.map((file) => ({ path: file.path, size: file.size })),
  }));
}

/** What is wrong with a tarball: publint's and attw's findings, and bytes above its limit. */
export async function faultsOf({ name, filename, size }, folder) {
  const file = join(folder, filename);
  const [lint, types] = await Promise.all([publintFaults(file), typeFaults(file)]);
  const limit = LARGEST_TARBALLS[name];
  const sizes =
    limit === undefined
      ? [`${name} has no limit of its size: add one to scripts/release/packages.mjs`]
      : size > limit
        ? [`${name} has ${size} bytes packed, above its limit of ${limit}`]
        : [];
  return [...lint, ...types, ...sizes];
}

async function publintFaults(file) {
  const tarball = new Uint8Array(readFileSync(file)).buffer;
  const { messages, pkg } = await publint({ pack: { tarball } });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

async function typeFaults(file) {
  const attw = join(repository, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  try {
    await run(process.execPath, [attw, file, '--profile', 'esm-only', '--no-color']);
    return [];
  } catch (error) {
    return [`attw: ${error.stdout ?? error.message}`];
  }
}
