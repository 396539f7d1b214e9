import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, noChromium } from '../../../test/chromium.js';
import { EnhancementEncoder, labelBuffer } from '../src/index.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The same work in Node, in a page and in a worker, and its result as plain numbers. */
function work(encoding: { EnhancementEncoder: typeof EnhancementEncoder; labelBuffer: typeof labelBuffer }): number[] {
  const classes = 7;
  const labels = Uint8Array.from({ length: 5000 }, (_, i) => (i * i) % classes);
  const probabilities = new Float32Array(labels.length * classes);
  for (let i = 0; i < labels.length; i++) {
    const weights = Array.from({ length: classes }, (_, q) => 1 + ((i * 31 + q * 17) % 13));
    const sum = weights.reduce((a, b) => a + b);
    for (let q = 0; q < classes; q++) probabilities[i * classes + q] = (weights[q] ?? 0) / sum;
  }
  const encoder = new encoding.EnhancementEncoder({ classes });
  encoder.observe(labels, probabilities);
  encoder.update();
  const rows = encoder.encode(labels, encoding.labelBuffer(labels.length, classes));
  return [...encoder.generatorMatrix, ...encoder.softConfusionMatrix, ...rows.slice(0, 500)];
}

const script = `${work.toString()}\nimport * as encoding from '/encoding/index.js';\n`;
const pages: Record<string, { type: string; body: string; policy?: string }> = {
  '/page': { type: 'text/html', body: `<script type="module">${script} window.result = work(encoding);</script>` },
  '/strict': {
    type: 'text/html',
    body: '<script type="module" src="/strict.js"></script>',
    policy: "default-src 'self'", // no eval, no WebAssembly
  },
  '/strict.js': { type: 'text/javascript', body: `${script} window.result = work(encoding);` },
  '/worker': {
    type: 'text/html',
    body: `<script type="module">new Worker('/worker.js', { type: 'module' }).onmessage = ({ data }) => { window.result = data; };</script>`,
  },
  '/worker.js': { type: 'text/javascript', body: `${script} postMessage(work(encoding));` },
};

describe('in Chromium', () => {
  let server: Server;
  let browser: Browser;
  let origin: string;

  beforeEach((context) => context.skip(noChromium !== undefined, noChromium));

  beforeAll(async () => {
    if (noChromium !== undefined) return;
    execFileSync('npx', ['tsc', '-b', 'packages/encoding'], { cwd: root });
    server = createServer(async ({ url = '/' }, response) => {
      const page = pages[url];
      if (page !== undefined) {
        response.setHeader('Content-Type', page.type);
        if (page.policy !== undefined) response.setHeader('Content-Security-Policy', page.policy);
        response.end(page.body);
        return;
      }
      response.setHeader('Content-Type', 'text/javascript');
      response.end(await readFile(`${root}/packages/encoding/dist/${url.replace('/encoding/', '')}`).catch(() => ''));
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
    const result = await (await page.waitForFunction('window.result', undefined, { timeout: 10_000 })).jsonValue();
    expect(result).toEqual(work({ EnhancementEncoder, labelBuffer }));
    expect(errors).toEqual([]);
  });
});
