import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, noChromium } from '../../../../test/chromium.js';
import { cutOff, seriousViolations } from '../../../../test/page-checks.js';
import { writeReproductionPage } from '../../src/page/write-reproduction-page.js';
import { PAPER_METHODS } from '../../src/tables/tables.js';
import { writeTable } from '../small-data.js';
import { CIFAR_CE, LONG_TAIL_CE, pageFolder, resultLine, writeCellRun, writeResults, writeTuning } from './results.js';

/** Names of classes that try to be more than text. */
const HOSTILE_NAMES = [
  '<img src=x onerror="document.title=\'pwned\'">',
  '</script><script>document.title="pwned"</script>',
  '=cmd',
  '__proto__',
  'עברית מימין לשמאל',
  'x'.repeat(200),
];

/** A row of Table 1, half a row of Table 2, nothing of Table 3. */
function lines() {
  const tail = PAPER_METHODS.flatMap((method) =>
    [0, 1].map((seed) => resultLine({ ...LONG_TAIL_CE, method, seed }, { top1: 0.9 })),
  );
  const cifar = PAPER_METHODS.slice(0, 2).map((method) => resultLine({ ...CIFAR_CE, method }));
  return [...tail, ...cifar];
}

function tuning() {
  const recipe = { learningRate: 0.01, weightDecay: 5e-4, batchSize: 128, epochs: 30 };
  const result = { draw: 0, softAccuracy: 0.8, accuracy: 0.8 };
  return [0.3, 1, 3, 10].flatMap((enhancementRate) =>
    [0.03, 0.3].map((updatingRate) => ({
      ...{ setting: 'long-tail', loss: 'ce', recipe, ...result },
      ...{ softAccuracy: 0.7 + enhancementRate / 100, method: { name: 'enhancement', enhancementRate, updatingRate } },
    })),
  );
}

describe('in Chromium', () => {
  let browser: Browser;
  let folder: string;
  let written: Awaited<ReturnType<typeof writeReproductionPage>>;

  beforeEach((context) => context.skip(noChromium !== undefined, noChromium));

  beforeAll(async () => {
    if (noChromium !== undefined) return;
    browser = await launchChromium();
    folder = await pageFolder();
    const results = join(folder, 'results');
    const runs = join(folder, 'runs');
    await writeResults(results, lines());
    await writeTuning(results, tuning());
    const source = await writeTable(folder, HOSTILE_NAMES);
    for (const line of lines()) {
      const isMapped = line.table === 'table1' && line.seed === 0;
      if (isMapped && ['one-hot', 'enhancement'].includes(line.method)) await writeCellRun(runs, line, source);
    }
    written = await writeReproductionPage({ results, runs, folder: join(folder, 'docs') });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  async function openFile(path: string, width: number, colorScheme: 'light' | 'dark' = 'light') {
    const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
    const requests: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => faults.push(dialog.message()));
    await page.goto(pathToFileURL(path).href);
    return { page, requests, faults };
  }

  it('fault 32: the page runs nothing, requests nothing, and has no fault', async () => {
    const { page, requests, faults } = await openFile(written.page, 1200);
    expect(requests).toEqual([pathToFileURL(written.page).href]);
    expect(faults).toEqual([]);
    expect(await page.locator('script, [onerror]').count()).toBe(0);
    expect(await page.locator('figure svg').count()).toBe(written.figures.length);
    await page.close();
  });

  it('does not scroll sideways on a phone', async () => {
    const { page } = await openFile(written.page, 390);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await cutOff(page)).toEqual([]);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('axe finds nothing serious when the page is %s', async (scheme) => {
    const { page } = await openFile(written.page, 390, scheme);
    expect(await seriousViolations(page)).toEqual([]);
    await page.close();
  });

  it('every figure is a drawing of its own, in the colours that are asked for', async () => {
    const { page, requests, faults } = await openFile(written.figures[0] ?? '', 600, 'dark');
    for (const path of written.figures) {
      await page.goto(pathToFileURL(path).href);
      // A file that is not well-formed is shown as an error with another root.
      const root = page.locator(':root');
      expect(await root.evaluate(({ localName }) => localName)).toBe('svg');
      expect(await root.evaluate((svg) => getComputedStyle(svg).backgroundColor)).toBe('rgb(20, 23, 27)');
      expect(await page.locator('parsererror').count()).toBe(0);
    }
    expect(faults).toEqual([]);
    const [first = '', ...others] = written.figures.map((path) => pathToFileURL(path).href);
    expect(requests).toEqual([first, first, ...others]);
    await page.close();
  });
});
