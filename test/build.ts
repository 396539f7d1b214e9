import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Builds the packages before the tests: a test imports the sources of its own package, and other packages by their names,
 * as their users do; worker threads and the processes that tests kill run what was built.
 */
export default function build(): void {
  const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
  const packages = ['tfjs', 'trees', 'paper', 'studio', 'evenhand/fuzz'].map((name) =>
    fileURLToPath(new URL(`../packages/${name}`, import.meta.url)),
  );
  // Types are `npm run typecheck`'s business: the compiler writes its output in spite of them.
  run([compiler, '-b', ...packages]);
  const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url));
  const studio = new URL('../packages/studio/', import.meta.url);
  for (const config of ['vite.config.ts', 'vite.playground.config.ts']) {
    const path = fileURLToPath(new URL(config, studio));
    run([vite, 'build', '--logLevel', 'warn', '--config', path, fileURLToPath(studio)]);
  }
}

function run(command: readonly string[]): void {
  const { error, stdout, stderr, status } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) process.stderr.write(`The build before the tests found faults:\n${stdout}${stderr}\n`);
}
