import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SkipReporter } from './test/skip-reporter.js';

const source = (name: string) => fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests run the sources; the packed tarballs have a test of their own (test/packages.test.ts).
    alias: {
      '@evenhand/encoding': source('encoding'),
      '@evenhand/engine': source('engine'),
      '@evenhand/tfjs': source('tfjs'),
    },
  },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    reporters: ['default', new SkipReporter()],
  },
});
