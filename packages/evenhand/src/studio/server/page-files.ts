import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../user-error.js';
import { HARDENED } from './guard.js';

/** Where `npm run build` puts the page; beside `dist/studio` and, from the sources, beside `src`. */
const FOLDERS = ['../../page', '../../../dist/page'];

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.wasm', 'application/wasm'],
]);

/** Nothing runs or is loaded but the page's own files. Pictures are also made in the page, to be saved. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The playground trains in the page, by WebAssembly. */
const PLAYGROUND_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");

/** The files of the page by their addresses. What is not among them is not served: no address becomes a path. */
export type PageFiles = ReadonlyMap<string, { readonly content: Buffer; readonly headers: Record<string, string> }>;

/**
 * Reads the page into memory.
 *
 * @throws {@link UserError} if it was not built
 */
export async function readPageFiles(): Promise<PageFiles> {
  const folder = FOLDERS.map((path) => fileURLToPath(new URL(path, import.meta.url))).find((path) =>
    existsSync(join(path, 'index.html')),
  );
  if (folder === undefined) throw new UserError('the page of the studio is not built; run "npm run build" first');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const address = path.slice(folder.length).replaceAll('\\', '/');
      return [address, { content: await readFile(path), headers: headersOf(address) }] as const;
    }),
  );
  const all = new Map(read);
  const index = all.get('/index.html');
  if (index !== undefined) all.set('/', index);
  return all;
}

function headersOf(address: string): Record<string, string> {
  const type = TYPES.get(extname(address)) ?? 'application/octet-stream';
  if (!address.endsWith('.html')) {
    // Their names have a hash of their content.
    return { ...HARDENED, 'content-type': type, 'cache-control': 'private, max-age=31536000, immutable' };
  }
  const policy = address === '/playground.html' ? PLAYGROUND_POLICY : POLICY;
  return { ...HARDENED, 'content-type': type, 'content-security-policy': policy };
}
