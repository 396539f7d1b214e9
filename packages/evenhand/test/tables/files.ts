import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A folder for the tests of a file; what it gives writes a file into it. */
export function temporaryFiles(): (content: string | Uint8Array, name?: string) => Promise<string> {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenhand-tables-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });
  return async (content, name = 'table.csv') => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };
}
