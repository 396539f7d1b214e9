import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, noChromium } from '../../../../test/chromium.js';
import { cutOff, seriousViolations } from '../../../../test/page-checks.js';
import { writeComparison } from '../../src/report/write-comparison.js';
import { writeReport } from '../../src/report/write-report.js';
import { readImageFolder } from '../../src/sources/image-folder.js';
import { readTableFile } from '../../src/sources/table-file.js';
import { writeStreamPage } from '../../src/stream/page/write-stream-page.js';
import { follow, writeRows } from '../stream/followed.js';
import { twoClasses as streamRows } from '../stream/streams.js';
import { runsFolder, trainOnImages, trainOnTable, writeImages, writeWeirdTable } from './runs.js';

const PAGES = ['table', 'images', 'many classes', 'comparison', 'two classes', 'stream'];

describe('in Chromium', () => {
  let browser: Browser;
  let folder: string;
  const paths = new Map<string, string>();

  beforeEach((context) => context.skip(noChromium !== undefined, noChromium));

  beforeAll(async () => {
    if (noChromium !== undefined) return;
    browser = await launchChromium();
    folder = await runsFolder();
    const [table, oneHot, images, many] = ['table', 'one-hot', 'images-run', 'many'].map((name) => join(folder, name));
    const source = await writeWeirdTable(folder);
    await trainOnTable(source, table ?? '');
    await trainOnTable(source, oneHot ?? '', { method: { name: 'one-hot' } });
    const imageFolder = await writeImages(folder);
    await trainOnImages(imageFolder, images ?? '');
    const names = Array.from({ length: 31 }, (_, i) => `class ${i} of many`);
    await trainOnTable(await writeManyClasses(folder, names), many ?? '');
    paths.set('table', await writeReport(table ?? ''));
    paths.set('images', await writeReport(images ?? '', { dataset: await readImageFolder(imageFolder) }));
    paths.set('many classes', await writeReport(many ?? ''));
    const two = join(folder, 'two');
    const twoClasses = await writeWeirdTable(join(folder, 'two classes'), ['fine', 'fraud']);
    await trainOnTable(twoClasses, two);
    paths.set('two classes', await writeReport(two, { dataset: await readTableFile(twoClasses, { target: 'class' }) }));
    const rows = streamRows({ rows: 3000, seed: 1, share: 0.2, swapAt: 1500 });
    await writeRows(
      join(folder, 'rows.ndjson'),
      rows.map((row) => ({ ...row, class: `=<img src=x onerror=alert(1)> ${row.class}` })),
    );
    await follow(folder, 'rows.ndjson', '<b>weird</b> stream');
    paths.set('stream', await writeStreamPage(join(folder, 'streams', '<b>weird</b> stream')));
    paths.set('comparison', await writeComparison([table ?? '', oneHot ?? ''], join(folder, 'comparison.html')));
  }, 240_000);

  afterAll(async () => {
    await browser?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  async function openPage(name: string, width: number, colorScheme: 'light' | 'dark') {
    const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
    const requests: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => requests.push(request.url().slice(0, 100)));
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => faults.push(dialog.message()));
    const url = pathToFileURL(paths.get(name) ?? '').href;
    await page.goto(url);
    return { page, requests: requests.filter((one) => one !== url.slice(0, 100) && !one.startsWith('data:')), faults };
  }

  it.each(PAGES)('fault 32: the page "%s" runs nothing, requests nothing, and has no fault', async (name) => {
    const { page, requests, faults } = await openPage(name, 1200, 'light');
    expect(requests).toEqual([]);
    expect(faults).toEqual([]);
    expect(await page.title()).not.toContain('pwned');
    expect(await page.locator('script, [onerror]').count()).toBe(0);
    await page.close();
  });

  it.each(PAGES)('the page "%s" does not scroll sideways on a phone', async (name) => {
    const { page } = await openPage(name, 390, 'light');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await cutOff(page)).toEqual([]);
    await page.close();
  });

  it.each(PAGES.flatMap((name) => [[name, 390] as const, [name, 1100] as const]))(
    'the page "%s" says at %d pixels where a table goes on to the right, and nowhere else',
    async (name, width) => {
      const { page } = await openPage(name, width, 'light');
      const boxes = await page.evaluate(async () => {
        for (const details of document.querySelectorAll('details')) details.open = true;
        // The hints are animations that a frame with the opened boxes starts.
        for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame);
        return [...document.querySelectorAll('.scroll')].map((box) => {
          const hint = box.querySelector('.hint');
          return {
            label: box.getAttribute('aria-label'),
            overflows: box.scrollWidth > box.clientWidth,
            hinted: hint !== null && getComputedStyle(hint).visibility === 'visible' && hint.clientHeight > 10,
          };
        });
      });
      expect(boxes.length).toBeGreaterThan(0);
      for (const { label, overflows, hinted } of boxes) expect([label, hinted]).toEqual([label, overflows]);
      if (width === 390) expect(boxes.some(({ overflows }) => overflows)).toBe(true);
      await page.close();
    },
  );

  it.each(
    ['table', 'images', 'comparison', 'two classes', 'stream'].flatMap((name) => [
      [name, 'light'] as const,
      [name, 'dark'] as const,
    ]),
  )('axe finds nothing serious on the page "%s" when it is %s', async (name, scheme) => {
    const { page } = await openPage(name, 390, scheme);
    expect(await seriousViolations(page)).toEqual([]);
    await page.close();
  });
});

/** More classes than a phone has room for. */
async function writeManyClasses(folder: string, names: readonly string[]): Promise<string> {
  const path = join(folder, 'many.csv');
  const rows = names.flatMap((name, p) =>
    Array.from({ length: 10 + (p % 7) }, (_, i) => `${p + i / 20},${p % 10},${name}`),
  );
  await writeFile(path, `x,y,class\n${rows.join('\n')}\n`);
  return path;
}
