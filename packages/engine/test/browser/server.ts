import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Program, writeSafetensors } from '../../src/index.js';
import { transpile } from '../runtime/transpile.js';
import type { Description } from './page.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** What a bundler would find out: where the packages are that the engine and the page import. */
const imports = {
  '@bufbuild/protobuf': '/node_modules/@bufbuild/protobuf/dist/esm/index.js',
  '@bufbuild/protobuf/codegenv2': '/node_modules/@bufbuild/protobuf/dist/esm/codegenv2/index.js',
  'onnx-buf': '/node_modules/onnx-buf/dist/onnx_pb.js',
  'onnxruntime-web/wasm': '/node_modules/onnxruntime-web/dist/ort.wasm.min.mjs',
};
const page = `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
  import { train } from '/packages/engine/test/browser/page.js';
  window.train = train;
</script>`;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** Serves the page, the program and the repository's files on 127.0.0.1; TypeScript as JavaScript. */
export async function serve(program: Program): Promise<{ readonly server: Server; readonly origin: string }> {
  const files = new Map<string, string | Uint8Array>(Object.entries(programFiles(program)));
  const server = createServer(async ({ url = '/' }, response) => {
    const body = url === '/' ? page : (files.get(url) ?? (await repositoryFile(url)));
    response.statusCode = body === undefined ? 404 : 200;
    response.setHeader('Content-Type', url === '/' ? 'text/html' : (types[extname(url)] ?? 'application/octet-stream'));
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}

function programFiles({
  training,
  inference,
  portableInference: _,
  state,
  ...rest
}: Program): Record<string, string | Uint8Array> {
  const description: Description = { ...rest, state: state.map(({ initial: _, ...entry }) => entry) };
  return {
    '/program/description': JSON.stringify(description),
    '/program/training': training,
    '/program/inference': inference,
    '/program/state': writeSafetensors(
      new Map(state.map(({ name, shape, initial }) => [name, { shape, data: initial.slice() }])),
    ),
  };
}

async function repositoryFile(url: string): Promise<string | Uint8Array | undefined> {
  const typescript = root + url.replace(/\.js$/, '.ts');
  if (url.startsWith('/packages/') && existsSync(typescript)) return transpile(typescript);
  return readFile(root + url).catch(() => undefined);
}
