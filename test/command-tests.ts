import type { ShellCommand } from './shell-commands.js';

/** Which test runs which commands of documents: those of a page, or of all, that begin with some words. The first that fits. */
export const RUN_COMMANDS: readonly { readonly path?: string; readonly words: string; readonly test: string }[] = [
  { path: 'docs/start.md', words: '', test: 'test/packages.test.ts' },
  { path: 'docs/cluster.md', words: 'npx evenhand ', test: 'packages/evenhand/test/queue/cluster-page.test.ts' },
  { path: 'docs/cluster.md', words: 'redis-server ', test: 'packages/evenhand/test/queue/cluster-page.test.ts' },
  {
    path: 'docs/gallery.md',
    words: 'node examples/gallery/',
    test: 'packages/evenhand/test/documents/gallery.test.ts',
  },
  { words: 'npx evenhand ', test: 'packages/evenhand/test/documents/page-commands.test.ts' },
  {
    path: 'docs/serving.md',
    words: 'curl ',
    test: 'packages/evenhand/test/documents/page-commands.test.ts',
  },
];

/** Commands of documents that no test runs: the words that they begin with, and why. What they name has to be there all the same. */
export const UNRUN_COMMANDS: readonly { readonly words: string; readonly reason: string }[] = [
  { words: 'npm ci', reason: '.ci/run begins with it' },
  { words: 'npm run build', reason: '.ci/run and test/build.ts build what tests run' },
  { words: 'npm test', reason: 'it would run itself' },
  { words: 'npm pack -w evenhand', reason: 'test/packages.test.ts packs the same packages, in a folder of its own' },
  { words: 'npm install evenhand', reason: 'not on npm yet; test/packages.test.ts installs the tarball' },
  { words: 'npm install @evenhand/', reason: 'not on npm yet; test/packages.test.ts installs the tarballs' },
  { words: 'npm install bullmq ioredis', reason: 'a clone has them installed' },
  { words: 'npm install @bull-board/api @bull-board/hono', reason: 'a clone has them installed' },
  { words: 'npm start', reason: 'two minutes of training; packages/paper/test/commands runs it on fewer images' },
  { words: 'npm run reproduce', reason: 'hours of training' },
  { words: 'npm run tune', reason: 'hours of training' },
  { words: 'npm run tables', reason: 'hours of training' },
  { words: 'npm run --silent tables', reason: 'needs data sets; packages/paper/test/seven-tables makes the folds' },
  { words: 'npm run budget', reason: 'hours of training' },
  { words: 'Rscript packages/paper/scripts/tuning_tables.R', reason: 'needs R and its packages of data' },
  { words: 'python3 packages/paper/scripts/peers.py', reason: 'needs scikit-learn and imbalanced-learn' },
  { words: 'node packages/evenhand/scripts/queue-load.mjs', reason: 'half an hour' },
];

/** Why no test runs a command, if none does. */
export function whyUnrun({ words }: Pick<ShellCommand, 'words'>): string | undefined {
  const text = words.join(' ');
  return UNRUN_COMMANDS.find((entry) => text.startsWith(entry.words))?.reason;
}

/** The test that runs a command, if one does. */
export function testOf(command: Pick<ShellCommand, 'path' | 'words'>): string | undefined {
  if (whyUnrun(command) !== undefined) return undefined;
  const [path, text] = [command.path, command.words.join(' ')];
  return RUN_COMMANDS.find((entry) => (entry.path ?? path) === path && text.startsWith(entry.words))?.test;
}
