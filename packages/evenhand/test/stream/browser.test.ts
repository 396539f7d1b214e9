import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { launchChromium, noChromium } from '../../../../test/chromium.js';
import { learnerOf, twoClasses } from './streams.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** What a bundler would find out: where the packages are. */
const imports = {
  'evenhand/stream': '/packages/evenhand/dist/doors/stream.js',
  '@evenhand/encoding': '/packages/encoding/dist/index.js',
  '@evenhand/engine': '/packages/engine/dist/index.js',
  '@evenhand/streams': '/packages/streams/dist/index.js',
  '@bufbuild/protobuf': '/node_modules/@bufbuild/protobuf/dist/esm/index.js',
  '@bufbuild/protobuf/codegenv2': '/node_modules/@bufbuild/protobuf/dist/esm/codegenv2/index.js',
  'onnx-buf': '/node_modules/onnx-buf/dist/onnx_pb.js',
  'onnxruntime-web/wasm': '/node_modules/onnxruntime-web/dist/ort.wasm.min.mjs',
  zod: '/node_modules/zod/index.js',
};

/** Import maps are for pages: in what a worker loads, packages get their addresses here. */
function resolved(script: string): string {
  return script.replace(
    /(\b(?:from|import)\s*)(["'])([^"'\n]+)\2/g,
    (text, keyword: string, quote: string, name: string) => {
      const address = Object.entries(imports).find(([known]) => known === name)?.[1];
      return address === undefined ? text : `${keyword}${quote}${address}${quote}`;
    },
  );
}

const WORKER = `
  import * as runtime from 'onnxruntime-web/wasm';
  import { columnsOfStream, StreamLearner } from 'evenhand/stream';
  runtime.env.wasm.wasmPaths = '/node_modules/onnxruntime-web/dist/';
  runtime.env.wasm.numThreads = 1;
  const learn = async ({ rows, options }) => {
    const columns = columnsOfStream(rows.slice(0, 100), { target: 'class' });
    const learner = await StreamLearner.create(options, columns, { runtime });
    const answers = await learner.take(rows.slice(0, rows.length / 2));
    const { learner: second } = await StreamLearner.load(await learner.save(), { runtime });
    async function* later() {
      yield* rows.slice(rows.length / 2);
    }
    for await (const outcome of second.follow(later())) answers.push(outcome);
    return answers.map(({ answer, probabilities }) => ({ answer, probabilities: [...probabilities] }));
  };
  onmessage = ({ data }) => learn(data).then(postMessage, reportError);`;

const PAGE = `<!doctype html><link rel="icon" href="data:,">
<script type="module">
  window.learn = (rows, options) =>
    new Promise((resolve, reject) => {
      const worker = new Worker('/worker.js', { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage({ rows, options });
    });
</script>`;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

it('learns in a worker of Chromium as in Node, also from what was saved there', async (context) => {
  context.skip(noChromium !== undefined, noChromium);
  const server = createServer(async ({ url = '/' }, response) => {
    const type = url === '/' ? 'text/html' : (TYPES[extname(url)] ?? 'application/octet-stream');
    const file = url === '/' ? PAGE : url === '/worker.js' ? WORKER : await readFile(root + url).catch(() => undefined);
    const body = type === 'text/javascript' && file !== undefined ? resolved(String(file)) : file;
    response.statusCode = body === undefined ? 404 : 200;
    response.setHeader('Content-Type', type);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  await page.waitForFunction('window.learn !== undefined');

  const rows = twoClasses({ rows: 400, seed: 9, share: 0.3 });
  const options = { target: 'class', method: 'balanced-enhancement', batch: 16 } as const;
  const there = await page.evaluate<{ answer: string | null; probabilities: number[] }[]>(
    `learn(${JSON.stringify(rows)}, ${JSON.stringify(options)})`,
  );
  expect(errors).toEqual([]);
  const learner = await learnerOf(options);
  const here = await learner.take(rows);
  await learner.close();
  expect(there).toHaveLength(rows.length);
  for (const [i, outcome] of here.entries()) {
    const probabilities = outcome.kind === 'answer' ? [...outcome.probabilities] : [];
    expect(there[i]?.probabilities).toHaveLength(probabilities.length);
    // Another processor's rounding, over 25 steps.
    for (const [q, p] of probabilities.entries())
      expect(Math.abs(p - (there[i]?.probabilities[q] ?? 9))).toBeLessThan(0.01);
  }
}, 240_000);
