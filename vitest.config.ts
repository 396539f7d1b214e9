import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SkipReporter } from './test/skip-reporter.js';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/build.ts',
    setupFiles: 'test/restore-environment.ts',
    // A machine that has other things to do is no fault: tests that hang are found, if later.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A file that a test compares with and that is not there is a fault; `--update` writes it.
    update: 'none',
    // Tests of queues and of kills mostly wait: one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    // Loading the same modules again for each of some 300 files takes longer than most of them do.
    isolate: false,
    reporters: ['default', new SkipReporter()],
  },
});
