import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Readers } from '../../fuzz/src/reader.js';

const DIST = new URL('../../fuzz/dist/', import.meta.url);

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenhand-fuzz-test-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** `npm run fuzz`, as it was built. */
function program(...args: string[]): Promise<{ readonly code: number; readonly output: string }> {
  const main = fileURLToPath(new URL('main.js', DIST));
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], { cwd: folder }, (_, output, errors) =>
      resolve({ code: child.exitCode ?? -1, output: output + errors }),
    );
  });
}

describe('fuzzing', () => {
  it('every reader reads or refuses a damaged file, in bounded time and memory', { timeout: 300_000 }, async () => {
    const { code, output } = await program('--cases', '200', '--seed', '1');
    expect(output).toContain('0 findings');
    expect(code).toBe(0);
  });

  it('finds what is wrong with a reader, and keeps the file', { timeout: 120_000 }, async () => {
    const { fuzz }: typeof import('../../fuzz/src/fuzz.js') = await import(new URL('fuzz.js', DIST).href);
    const module = new URL('faulty-readers.mjs', import.meta.url);
    const { READERS: readers }: { readonly READERS: Readers } = await import(module.href);
    const counts = await fuzz({
      readers,
      module,
      seed: 1,
      cases: new Map(Object.keys(readers).map((name) => [name, [0]])),
      limits: { seconds: 1, megabytes: 300 },
      findings: join(folder, 'findings'),
    });
    const found = Object.fromEntries(
      [...counts].map(([name, { read, refused, findings }]) => [name, findings[0]?.what ?? { read, refused }]),
    );
    expect(found).toEqual({
      good: { read: 0, refused: 1 },
      'raw error': expect.stringContaining('TypeError: Cannot read properties of undefined'),
      'long message': expect.stringMatching(/^a message of 1000\d\d characters: UserError: xxx/),
      pollution: 'prototypes have got polluted',
      death: expect.stringContaining('the process died (SIGABRT)'),
      'late rejection': expect.stringContaining('TypeError: nobody listens'),
      spinning: expect.stringContaining('no end within'),
      waiting: 'no end within 6 s',
      memory: expect.stringMatching(/^\d+ MB of memory; expected at most 300$/),
      'refused corpus': expect.stringContaining('whole of the corpus should be read'),
    });
    expect(await readdir(join(folder, 'findings'))).toContain('death-seed-1-case-0-whole');
    const kept = await readFile(join(folder, 'findings', 'raw error-seed-1-case-0-whole'));
    expect(kept).toHaveLength(4);
  });

  it('makes the same files of the same seed, and others of another', async () => {
    const { makeCase }: typeof import('../../fuzz/src/fuzz-case.js') = await import(new URL('fuzz-case.js', DIST).href);
    const { READERS }: typeof import('../../fuzz/src/readers.js') = await import(new URL('readers.js', DIST).href);
    const { csv } = READERS;
    if (csv === undefined) throw new Error('there is no reader of CSV');
    const corpus = await csv.corpus();
    const cases = (seed: number) =>
      Array.from({ length: 20 }, (_, number) => makeCase({ reader: 'csv', seed, number }, csv, corpus));
    expect(cases(1)).toEqual(cases(1));
    expect(cases(1)).not.toEqual(cases(2));
  });

  it('refuses a reader that there is not', async () => {
    expect(await program('--reader', 'xml')).toEqual({
      code: 2,
      output: expect.stringMatching(/^there is no reader "xml"; expected csv, json-lines, gzip, parquet, /),
    });
  });
});
