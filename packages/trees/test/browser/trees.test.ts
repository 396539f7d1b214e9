import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import ts from 'typescript';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, noChromium } from '../../../../test/chromium.js';
import { fit, predict } from '../../src/index.js';
import { logLoss } from '../metrics.js';
import { randomTable } from '../random-table.js';
import type { trainAndPredict } from './page.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const imports = {
  '@bufbuild/protobuf': '/node_modules/@bufbuild/protobuf/dist/esm/index.js',
  '@bufbuild/protobuf/codegenv2': '/node_modules/@bufbuild/protobuf/dist/esm/codegenv2/index.js',
  'onnx-buf': '/node_modules/onnx-buf/dist/onnx_pb.js',
  'onnxruntime-web/wasm': '/node_modules/onnxruntime-web/dist/ort.wasm.min.mjs',
};
const page = `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
  import { trainAndPredict } from '/packages/trees/test/browser/page.js';
  window.trainAndPredict = trainAndPredict;
  document.title = 'ready';
</script>`;
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** The repository's files on 127.0.0.1; TypeScript as JavaScript. */
function fileAt(url: string): string | Uint8Array | undefined {
  if (url === '/') return page;
  const typescript = root + url.replace(/\.js$/, '.ts');
  if (url.startsWith('/packages/') && existsSync(typescript)) {
    const compilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    };
    return ts.transpileModule(readFileSync(typescript, 'utf8'), { compilerOptions }).outputText;
  }
  return existsSync(root + url) ? readFileSync(root + url) : undefined;
}

const shape = { seed: 41, rows: 1000, columns: 4, classes: 3, missing: 0.1, categories: 8 };
const testShape = { ...shape, seed: 42, rows: 2000, categories: 12 };
const rounds = 20;

describe('trees in Chromium', () => {
  let server: Server | undefined;
  let browser: Browser | undefined;
  let inBrowser: Awaited<ReturnType<typeof trainAndPredict>>;

  beforeEach((context) => context.skip(noChromium !== undefined, noChromium));

  beforeAll(async () => {
    if (noChromium !== undefined) return;
    server = createServer(({ url = '/' }, response) => {
      const body = fileAt(url);
      response.statusCode = body === undefined ? 404 : 200;
      response.setHeader(
        'Content-Type',
        url === '/' ? 'text/html' : (types[extname(url)] ?? 'application/octet-stream'),
      );
      response.end(body);
    });
    const listening = server;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    browser = await launchChromium();
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    await tab.waitForFunction("document.title === 'ready'");
    const args = [shape, testShape, rounds].map((value) => JSON.stringify(value)).join();
    inBrowser = await tab.evaluate<typeof inBrowser>(`trainAndPredict(${args})`);
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it('learn as well as in Node', () => {
    // Not bit for bit: another version of V8 has another Math.exp, whose last bit decides between splits that are equally good.
    const test = randomTable(testShape);
    const inNode = logLoss(test.labels, predict(fit(randomTable(shape), { rounds }).model, test), 3);
    expect(logLoss(test.labels, Float32Array.from(inBrowser.probabilities), 3) / inNode).toBeCloseTo(1, 1);
  });

  it('onnxruntime-web answers as they do', () => {
    const differences = inBrowser.probabilities.map((p, i) => Math.abs(p - (inBrowser.byRuntime[i] ?? Number.NaN)));
    expect(differences).toHaveLength(testShape.rows * 3);
    expect(differences.reduce((a, b) => Math.max(a, b))).toBeLessThan(1e-6);
  });
});
