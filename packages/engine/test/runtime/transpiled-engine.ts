import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transpile } from './transpile.js';

const source = fileURLToPath(new URL('../../src', import.meta.url));
const cache = fileURLToPath(new URL('../../../../node_modules/.cache', import.meta.url));

/**
 * The sources of the engine as JavaScript, laid out as in `dist`: a worker thread of Node 20 runs no TypeScript, and vitest
 * does not reach into it. Takes less than a second and waits for nobody's type errors. Lies below `node_modules`, so that
 * the packages it imports are found.
 */
export class TranspiledEngine {
  readonly #folder: string;

  constructor() {
    mkdirSync(cache, { recursive: true });
    this.#folder = mkdtempSync(join(cache, 'engine-'));
    writeFileSync(join(this.#folder, 'package.json'), '{ "type": "module" }');
    for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const file = join(this.#folder, name.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, transpile(join(source, name)));
    }
  }

  /** Where a module is, given its path in `src`. */
  url(module: string): string {
    return pathToFileURL(join(this.#folder, module)).href;
  }

  /** A file of the test's own beside the engine. */
  file(name: string, text: string): string {
    const file = join(this.#folder, name);
    writeFileSync(file, text);
    return file;
  }

  /** A TypeScript module of the test's own, which imports at most types, beside the engine. */
  module(typescript: URL): string {
    const file = fileURLToPath(typescript);
    return this.file(basename(file).replace(/\.ts$/, '.js'), transpile(file));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
