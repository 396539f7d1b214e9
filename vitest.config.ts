import { defineConfig } from 'vitest/config';
import { SkipReporter } from './test/skip-reporter.js';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/build.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A file that a test compares with and that is not there is a fault; `--update` writes it.
    update: 'none',
    // Vitest would leave a core to its reporter.
    maxWorkers: '100%',
    reporters: ['default', new SkipReporter()],
  },
});
