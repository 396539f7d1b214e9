import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, defineConfig, type Plugin } from 'vite';
import { jsx, reportStyle } from './vite.config.js';

// The playground works as files alone, opened in a browser without any server. There a page may not load modules, fetch, or
// start a worker from a file; it may load scripts. So everything is a classic script: the page, the worker, and
// ONNX Runtime's WebAssembly as text.

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const FOLDER = 'playground';
const TARGET = 'es2022';

/** Builds the worker as one script, which in a page does nothing but keep its own text. */
async function workerScript(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: TARGET,
      rolldownOptions: {
        input: here('src/playground/training/worker.ts'),
        output: { format: 'iife' },
        // ONNX Runtime asks where it was loaded from, to load other files from there; there are none.
        transform: { define: { 'import.meta': '{}' } },
      },
    },
  });
  if (!('output' in result)) throw new Error('vite gives no output of the worker');
  const chunks = result.output.filter((file) => file.type === 'chunk');
  const [chunk] = chunks;
  if (chunk === undefined || chunks.length > 1) throw new Error(`the worker is ${chunks.length} scripts; expected one`);
  return `(function (work) {
  if (typeof document === 'undefined') work();
  else globalThis.evenhandPlayground = { ...globalThis.evenhandPlayground, worker: '(' + work + ')()' };
})(function () {
${chunk.code}
});
`;
}

/** ONNX Runtime's WebAssembly as a script: 14 MB packed to 4.9. */
function runtimeScript(): string {
  const wasm = readFileSync(new URL('ort-wasm-simd-threaded.wasm', import.meta.resolve('onnxruntime-web/wasm')));
  const text = gzipSync(wasm).toString('base64');
  return `/*! ONNX Runtime, Copyright (c) Microsoft Corporation, MIT License: github.com/microsoft/onnxruntime */
globalThis.evenhandPlayground = { ...globalThis.evenhandPlayground, runtime: '${text}' };\n`;
}

function named(name: string, source: string): { readonly fileName: string; readonly source: string } {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  return { fileName: `${FOLDER}/${name}-${hash}.js`, source };
}

/** Adds the parts of the playground and writes their addresses into the page, whose scripts become classic ones. */
function playgroundParts(): Plugin {
  const attributes: string[] = [];
  return {
    name: 'playground-parts',
    async buildStart() {
      const parts = { worker: named('worker', await workerScript()), runtime: named('onnxruntime', runtimeScript()) };
      for (const [part, { fileName, source }] of Object.entries(parts)) {
        this.emitFile({ type: 'asset', fileName, source });
        attributes.push(`data-${part}="./${fileName}"`);
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replace('<div id="playground">', `<div id="playground" ${attributes.join(' ')}>`)
          .replaceAll('type="module" crossorigin', 'defer')
          .replaceAll(' crossorigin', ''),
    },
  };
}

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [reportStyle, playgroundParts()],
  oxc: jsx,
  build: {
    outDir: here('../evenhand/dist/page'),
    emptyOutDir: false,
    target: TARGET,
    assetsDir: FOLDER,
    assetsInlineLimit: 0,
    modulePreload: false,
    // Otherwise a classic script writes its own style sheet into the page, which a strict policy forbids.
    cssCodeSplit: false,
    rolldownOptions: { input: here('playground.html'), output: { format: 'iife' } },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 10_000,
  },
});
