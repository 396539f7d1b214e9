import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, noChromium } from '../../../test/chromium.js';
import { buildRows, editedNearestNeighbours, kMeansSmote, smote } from '../src/index.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Package {
  readonly buildRows: typeof buildRows;
  readonly editedNearestNeighbours: typeof editedNearestNeighbours;
  readonly kMeansSmote: typeof kMeansSmote;
  readonly smote: typeof smote;
}

/** The same work in Node, in a page and in a worker, and its result as plain numbers. */
function work(resampling: Package): number[] {
  const columns = 6;
  const labels = Uint8Array.from({ length: 900 }, (_, i) => (i % 10 === 0 ? 1 : 0));
  const features = new Float64Array(labels.length * columns);
  for (let i = 0; i < features.length; i++) {
    features[i] = ((i * i * 31 + i * 17) % 1009) / 100 + (Math.floor(i / columns) % 10 === 0 ? 1 : 0);
  }
  const made = resampling.buildRows(features, resampling.smote(features, labels, { seed: 3 }), columns);
  const clustered = resampling.kMeansSmote(features, labels, { seed: 3, balanceThreshold: 0.05 });
  const edited = resampling.editedNearestNeighbours(features, labels, { agreement: 'mode' });
  return [...made.slice(-600), ...clustered.synthetic.parents, ...edited.rows];
}

const script = `${work.toString()}\nimport * as resampling from '/resampling/index.js';\n`;
const pages: Record<string, { type: string; body: string; policy?: string }> = {
  '/page': { type: 'text/html', body: `<script type="module">${script} window.result = work(resampling);</script>` },
  '/strict': {
    type: 'text/html',
    body: '<script type="module" src="/strict.js"></script>',
    policy: "default-src 'self'", // no eval, no WebAssembly
  },
  '/strict.js': { type: 'text/javascript', body: `${script} window.result = work(resampling);` },
  '/worker': {
    type: 'text/html',
    body: `<script type="module">new Worker('/worker.js', { type: 'module' }).onmessage = ({ data }) => { window.result = data; };</script>`,
  },
  '/worker.js': { type: 'text/javascript', body: `${script} postMessage(work(resampling));` },
};

describe('in Chromium', () => {
  let server: Server;
  let browser: Browser;
  let origin: string;

  beforeEach((context) => context.skip(noChromium !== undefined, noChromium));

  beforeAll(async () => {
    if (noChromium !== undefined) return;
    execFileSync('npx', ['tsc', '-b', 'packages/resampling'], { cwd: root });
    server = createServer(async ({ url = '/' }, response) => {
      const page = pages[url];
      response.setHeader('Content-Type', page?.type ?? 'text/javascript');
      if (page?.policy !== undefined) response.setHeader('Content-Security-Policy', page.policy);
      const file = `${root}/packages/resampling/dist/${url.replace('/resampling/', '')}`;
      response.end(page?.body ?? (await readFile(file).catch(() => '')));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it.each(['/page', '/strict', '/worker'])('%s computes what Node does, bit for bit', async (path) => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(origin + path);
    const result = await (await page.waitForFunction('window.result', undefined, { timeout: 20_000 })).jsonValue();
    expect(result).toEqual(work({ buildRows, editedNearestNeighbours, kMeansSmote, smote }));
    expect(errors).toEqual([]);
  });
});
