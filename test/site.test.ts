import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, noChromium } from './chromium.js';
import { seriousViolations } from './page-checks.js';

const site = fileURLToPath(new URL('../docs/.vitepress/dist', import.meta.url));
const TYPES = new Map([
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
  ['.mjs', 'text/javascript'],
  ['.css', 'text/css'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.json', 'application/json'],
  ['.wasm', 'application/wasm'],
]);
const notBuilt = existsSync(join(site, 'index.html'))
  ? undefined
  : 'the site is not built: npm run build && npm run docs';
const reason = notBuilt ?? noChromium;

/** Every page of the site; the playground has tests of its own. */
const pages =
  notBuilt === undefined
    ? readdirSync(site, { recursive: true, encoding: 'utf8' })
        .map((file) => file.replaceAll('\\', '/'))
        .filter((file) => file.endsWith('.html') && !file.startsWith('playground/'))
        .sort()
    : [];

describe.skipIf(reason !== undefined)(`the site${reason === undefined ? '' : ` (${reason})`}`, () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let origin: string;
  /** What the browser complains of, and whom else it asks. */
  const complaints: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname);
      const file = join(site, normalize(path.endsWith('/') ? `${path}index.html` : path));
      if (!file.startsWith(site) || !existsSync(file)) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { 'Content-Type': TYPES.get(extname(file)) ?? 'application/octet-stream' });
      response.end(readFileSync(file));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    origin = `http://127.0.0.1:${address.port}`;
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme: 'light' });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) complaints.push(request.url());
    });
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it('has all pages', () => {
    const names = ['start', 'choosing', 'pitfalls', 'faq', 'method', 'results', 'cli', 'configuration', 'api/evenhand'];
    expect(pages).toEqual(expect.arrayContaining([...names, 'api/errors', 'changelog'].map((name) => `${name}.html`)));
  });

  it.each(pages.filter((path) => !isOfApi(path) || SAMPLES_OF_API.has(path)))(
    '%s is axe-clean in light and dark, fits 1200 and 390 pixels, and asks nobody else',
    async (path) => {
      await page.setViewportSize({ width: 1200, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(`${origin}/${path}`);
      const found: Record<string, string[]> = {};
      found.light = await seriousViolations(page);
      found.wide = await sticksOut(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html.dark').waitFor({ state: 'attached' });
      found.dark = await seriousViolations(page, ['color-contrast']);
      await page.setViewportSize({ width: 390, height: 844 });
      found.narrow = await sticksOut(page);
      expect(found).toEqual({ light: [], wide: [], dark: [], narrow: [] });
      expect(complaints.splice(0)).toEqual([]);
    },
  );

  it('the other pages of the API fit 390 pixels, and ask nobody else', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of pages.filter((one) => isOfApi(one) && !SAMPLES_OF_API.has(one))) {
      await page.goto(`${origin}/${path}`);
      expect(await sticksOut(page), path).toEqual([]);
    }
    expect(complaints.splice(0)).toEqual([]);
  });

  it('finds words without asking a server', async () => {
    await page.setViewportSize({ width: 1200, height: 900 });
    await page.goto(`${origin}/index.html`);
    await page.keyboard.press('Control+k');
    await page.locator('#localsearch-input').fill('generator matrix');
    await page.locator('.VPLocalSearchBox .result').first().waitFor();
    expect(await page.locator('.VPLocalSearchBox .result').allInnerTexts()).not.toEqual([]);
    expect(complaints.splice(0)).toEqual([]);
  });
});

/** Pages of the API come from one template, and axe takes long for them: these are looked at closely, the others briefly. */
const SAMPLES_OF_API = new Set(['api/index.html', 'api/errors.html', 'api/evenhand/predict.html']);

function isOfApi(path: string): boolean {
  return path.startsWith('api/');
}

/** By how many pixels a page is wider than its window. */
function sticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`${scrollWidth} pixels in ${clientWidth}`] : [];
  });
}
