import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, noChromium } from '../../../../test/chromium.js';
import { cutOff, seriousViolations } from '../../../../test/page-checks.js';

/** What `npm run build` writes: playground.html, and the folder playground beside it. */
const FOLDER = fileURLToPath(new URL('../../../evenhand/dist/page', import.meta.url));
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
/** That of the studio, whose server serves the playground too. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; worker-src 'self'";
const PATIENCE = { timeout: 110_000 };

/** Serves files, and nothing else. */
async function serveFiles(): Promise<{ readonly server: Server; readonly address: string }> {
  const server = createServer(async ({ url = '' }, response) => {
    const content = await readFile(FOLDER + url).catch(() => undefined);
    response.statusCode = content === undefined ? 404 : 200;
    response.setHeader('Content-Type', TYPES[extname(url)] ?? 'image/svg+xml');
    if (url.endsWith('.html')) response.setHeader('Content-Security-Policy', POLICY);
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, address: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}

/** Places all over a disc in the middle of the square. */
function spiral(count: number, radius: number): (readonly [x: number, y: number])[] {
  return Array.from({ length: count }, (_, i) => {
    const distance = radius * Math.sqrt((i + 0.5) / count);
    return [0.5 + distance * Math.cos(2.4 * i), 0.5 + distance * Math.sin(2.4 * i)];
  });
}

/** The share of the square that each network takes for a class. */
async function areas(page: Page, name: string): Promise<number[]> {
  const texts = await page.locator(`tr[data-class="${name}"] .area`).allTextContents();
  return texts.map((text) => Number.parseFloat(text));
}

async function atRest(page: Page): Promise<void> {
  await page.locator('.status[data-state="at rest"]').waitFor(PATIENCE);
}

async function epochsDone(page: Page, least: number): Promise<void> {
  await page.waitForFunction(
    (count) => Number(document.querySelector('.methods')?.getAttribute('data-epoch')) >= count,
    least,
    PATIENCE,
  );
}

describe('the playground in Chromium', { timeout: 120_000 }, () => {
  let browser: Browser;
  let server: Server | undefined;
  let address: string;
  const faults: string[] = [];
  beforeEach((context) => context.skip(noChromium !== undefined, noChromium));
  beforeAll(async () => {
    if (noChromium !== undefined) return;
    browser = await launchChromium();
    ({ server, address } = await serveFiles());
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  async function open(url: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1000 }, ...options });
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'file:' && protocol !== 'blob:' && origin !== address) faults.push(`asked for ${request.url()}`);
    });
    await page.goto(url);
    return page;
  }

  it('opened as a file trains what is painted: the rare class gets more room than with one-hot labels', async () => {
    const page = await open(`${pathToFileURL(FOLDER)}/playground.html`);
    await page.getByRole('button', { name: 'Nothing' }).click();
    expect(await page.getByRole('status').textContent()).toMatch(/Loading|Paint some points/);
    const square = page.locator('.plane').first();
    const box = await square.boundingBox();
    if (box === null) throw new Error('there is no square');
    const paint = async (name: string, places: readonly (readonly [number, number])[]) => {
      await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
      for (const [x, y] of places) await square.click({ position: { x: x * box.width, y: y * box.height } });
    };
    await page.getByRole('button', { name: 'Pause' }).click();
    await paint('circles', spiral(12, 0.38));
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: '×2 the circles' }).click();
    await paint('triangles', spiral(4, 0.09));
    expect(await page.locator('.count').allTextContents()).toEqual(['96', '4', '0']);
    await page.getByRole('button', { name: 'Start again' }).click();
    await atRest(page);
    const [oneHot = Number.NaN, enhancement, adjusted] = await areas(page, 'triangles');
    expect(enhancement).toBeGreaterThan(oneHot);
    expect(adjusted).toBeGreaterThan(oneHot);
    await page.close();
    expect(faults).toEqual([]);
  });

  it('from a static server, under a strict policy, follows presets, sliders, keys and the pause', async () => {
    const page = await open(`${address}/playground.html#long-tail`);
    await epochsDone(page, 2);
    expect(await page.locator('article[data-method="enhancement"] .labels tbody td').count()).toBe(9);
    // With ε = 0 the labels go back to 1 and 0 at the speed of μ, which is 1 at once.
    const slide = (name: RegExp, value: string) => page.getByRole('slider', { name }).fill(value);
    await slide(/ε/, '0');
    await slide(/μ/, '1');
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll('article[data-method="enhancement"] .labels tbody td')]
          .map((cell) => cell.textContent)
          .join() === '1.00,0.00,0.00,0.00,1.00,0.00,0.00,0.00,1.00',
      undefined,
      PATIENCE,
    );
    await page.getByRole('button', { name: 'Pause' }).click();
    expect(await page.getByRole('status').textContent()).toBe('Paused.');
    await page.locator('.plane').first().focus();
    await page.keyboard.press('1');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    expect(await page.locator('.count').first().textContent()).toBe('221');
    await page.keyboard.press('Delete');
    expect(Number(await page.locator('.count').first().textContent())).toBeLessThan(221);
    await page.getByRole('button', { name: 'Balanced' }).click();
    expect(new URL(page.url()).hash).toBe('#balanced');
    await page.waitForFunction(
      () => document.querySelectorAll('.results')[0]?.querySelectorAll('tbody tr').length === 2,
    );
    await page.close();
    expect(faults).toEqual([]);
  });

  it('fits a phone, and has nothing that axe complains of, in light and in dark', async () => {
    const page = await open(`${address}/playground.html`, { colorScheme: 'light' });
    await epochsDone(page, 1);
    await page.getByRole('button', { name: 'Pause' }).click();
    expect(await seriousViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await seriousViolations(page)).toEqual([]);
    expect(await cutOff(page)).toEqual([]);
    await page.close();
    expect(faults).toEqual([]);
  });
});
