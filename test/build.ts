import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the packages before the tests: a test imports the sources of its own package, and other packages by their names,
 * as their users do; worker threads and the processes that tests kill run what was built.
 */
export default function build(): void {
  const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
  const packages = ['tfjs', 'trees', 'streams', 'paper', 'studio', 'evenhand/fuzz'].map((name) =>
    fileURLToPath(new URL(`../packages/${name}`, import.meta.url)),
  );
  // Types are `npm run typecheck`'s business: the compiler writes its output in spite of them.
  run([compiler, '-b', ...packages]);
  if (!isPageCurrent()) buildPage();
}

const studio = fileURLToPath(new URL('../packages/studio/', import.meta.url));
const page = fileURLToPath(new URL('../packages/evenhand/dist/page/', import.meta.url));

function buildPage(): void {
  const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url));
  for (const config of ['vite.config.ts', 'vite.playground.config.ts'])
    run([vite, 'build', '--logLevel', 'warn', '--config', join(studio, config), studio]);
}

/** Whether the page is newer than all that it is made of. */
function isPageCurrent(): boolean {
  const built = ['index.html', 'playground.html'].map((name) => join(page, name));
  if (!built.every((file) => existsSync(file))) return false;
  const libraries = ['encoding/dist', 'engine/dist', 'evenhand/dist/report'].map((path) =>
    fileURLToPath(new URL(`../packages/${path}`, import.meta.url)),
  );
  const lockFile = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  const oldest = Math.min(...built.map((file) => statSync(file).mtimeMs));
  return Math.max(newest(studio), newest(lockFile), ...libraries.map(newest)) < oldest;
}

/** When a file, or anything in a folder, was written last. */
function newest(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const inside = readdirSync(path).filter((name) => name !== 'node_modules' && !name.endsWith('.tsbuildinfo'));
  return Math.max(0, ...inside.map((name) => newest(join(path, name))));
}

function run(command: readonly string[]): void {
  const { error, stdout, stderr, status } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) process.stderr.write(`The build before the tests found faults:\n${stdout}${stderr}\n`);
}
