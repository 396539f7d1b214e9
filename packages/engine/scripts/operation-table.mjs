// Writes docs/operations.md anew, from the registry and the samples of the tests: they are TypeScript, which Vitest reads.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// The path comes first: behind --update it would be taken for that option's value, and every test would run.
const { status } = spawnSync('npx', ['vitest', 'run', 'packages/engine/test/operations/operation-table', '--update'], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
