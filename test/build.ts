import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Builds the packages before the tests: a test imports the sources of its own package, and other packages by their names,
 * as their users do; worker threads and the processes that tests kill run what was built.
 */
export default function build(): void {
  const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
  const packages = ['tfjs', 'trees', 'paper', 'evenhand/fuzz'].map((name) =>
    fileURLToPath(new URL(`../packages/${name}`, import.meta.url)),
  );
  // Types are `npm run typecheck`'s business: the compiler writes its output in spite of them.
  const { error, stdout, status } = spawnSync(process.execPath, [compiler, '-b', ...packages], { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) process.stderr.write(`The build before the tests found faults:\n${stdout}\n`);
}
