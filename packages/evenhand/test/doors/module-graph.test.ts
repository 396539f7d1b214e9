import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** Imports that are carried out before the module itself; `import()` waits until it is called. */
const STATIC = /^\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm;

/** What loading a module loads: files by their path in dist, packages by their name. */
async function loadedBy(...entries: readonly string[]): Promise<Set<string>> {
  const loaded = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const path = join(DIST, file);
    for (const [, from, bare] of (await readFile(path, 'utf8')).matchAll(STATIC)) {
      const specifier = from ?? bare ?? '';
      if (specifier.startsWith('.')) await visit(relative(DIST, resolve(path, '..', specifier)));
      else loaded.add(specifier);
    }
  };
  for (const entry of entries) await visit(entry);
  return loaded;
}

/** Large, and of use to few. */
const HEAVY = ['@observablehq/plot', 'linkedom', 'sharp', 'hyparquet', 'hyparquet-compressors', 'tar'];

describe('light doors', () => {
  it.each([
    ['evenhand', 'index.js'],
    ['evenhand --help', 'cli/main.js'],
  ])('"%s" loads no library but what it says at once with, no schema and no engine', async (_, entry) => {
    const packages = [...(await loadedBy(entry))].filter((name) => !name.endsWith('.js') && !name.startsWith('node:'));
    expect(packages).toEqual(entry === 'index.js' ? [] : ['commander']);
  });

  it.each([
    ['evenhand/predict', ['doors/predict.js']],
    ['openModel', ['prediction/predictor.js']],
    ['evenhand predict', ['cli/main.js', 'cli/commands/predict/predict.js']],
    ['evenhand/evaluation', ['doors/evaluation.js']],
    ['evenhand/config', ['doors/config.js']],
    ['evenhand/files', ['doors/files.js']],
    ['evenhand/stream', ['doors/stream.js']],
  ])('"%s" loads nothing that draws, decodes images or unpacks', async (_, entries) => {
    const loaded = await loadedBy(...entries);
    expect(HEAVY.filter((name) => loaded.has(name))).toEqual([]);
  });

  it.each([
    ['evenhand/predict', ['doors/predict.js']],
    ['evenhand predict', ['cli/main.js', 'cli/commands/predict/predict.js']],
  ])('"%s" does not load the schema of configurations', async (_, entries) => {
    expect(await loadedBy(...entries)).not.toContain('config/schema.js');
  });

  it('"evenhand/stream" runs in a browser: it loads no module of Node and uses none of its globals', async () => {
    const loaded = [...(await loadedBy('doors/stream.js'))];
    expect(loaded.filter((name) => name.startsWith('node:') || name.endsWith('/node'))).toEqual([]);
    const files = loaded.filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(files.map((file) => readFile(join(DIST, file), 'utf8')));
    expect(files.filter((_, i) => /\b(Buffer|process)\./.test(texts[i] ?? ''))).toEqual([]);
  });

  it('finds what is loaded: the report draws', async () => {
    expect(HEAVY.filter((name) => !name.startsWith('hyparquet') && name !== 'tar')).toEqual([
      '@observablehq/plot',
      'linkedom',
      'sharp',
    ]);
    const loaded = await loadedBy('doors/report.js');
    expect(loaded).toContain('@observablehq/plot');
    expect(loaded).toContain('linkedom');
  });
});
