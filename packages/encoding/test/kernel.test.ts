import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { expectSame, softmaxRows, uniform } from './arbitraries.js';

/** What a content security policy without 'wasm-unsafe-eval' makes of WebAssembly.Module. */
class ForbiddenModule {
  constructor() {
    throw new Error('Refused to compile or instantiate WebAssembly module');
  }
}

describe('the kernel', () => {
  it('is what kernel.wat compiles to', () => {
    const script = fileURLToPath(new URL('../scripts/compile-kernel.mjs', import.meta.url));
    expect(spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  it.each([
    ['missing', undefined],
    ['forbidden', { Module: ForbiddenModule }],
  ])('is done without where WebAssembly is %s', async (_, webAssembly) => {
    const classes = 10;
    const random = uniform(3);
    const labels = Uint8Array.from({ length: 20_000 }, () => Math.floor(random() * classes));
    const probabilities = softmaxRows(labels.length, classes, 2, random);
    const work = async () => {
      vi.resetModules();
      const { encodeLabels, labelBuffer, softConfusionMatrix } = await import('../src/index.js');
      const soft = softConfusionMatrix(labels, probabilities, classes);
      return { soft, rows: encodeLabels(labels, soft, labelBuffer(labels.length, classes)) };
    };
    const withKernel = await work();
    vi.stubGlobal('WebAssembly', webAssembly);
    try {
      const without = await work();
      expectSame(without.soft, withKernel.soft);
      expectSame(without.rows, withKernel.rows);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
