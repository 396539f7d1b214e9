import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { launchChromium, noChromium } from '../../../../test/chromium.js';
import { cutOff, seriousViolations } from '../../../../test/page-checks.js';
import { type Studio, startStudio } from '../../src/studio/server/studio-server.js';
import { runsFolder, trainOnTable, writeWeirdTable } from '../report/runs.js';
import { follow, writeRows } from '../stream/followed.js';
import { twoClasses } from '../stream/streams.js';
import { copyRuns } from './studio.js';

const SLOW = 90_000;

/** Views, by address; `RUN`, `OTHER` and `STREAM` stand for ids. */
const VIEWS = [
  ['runs', '#/runs'],
  ['a run', '#/runs/RUN'],
  ['its training', '#/runs/RUN?tab=training'],
  ['its classes', '#/runs/RUN?tab=classes'],
  ['its confusion', '#/runs/RUN?tab=confusion'],
  ['its outputs', '#/runs/RUN?tab=outputs'],
  ['its wrong answers', '#/runs/RUN?tab=wrong'],
  ['its model', '#/runs/RUN?tab=model'],
  ['its configuration', '#/runs/RUN?tab=config'],
  ['a comparison', '#/compare?runs=RUN,OTHER'],
  ['no sweeps', '#/sweeps'],
  ['streams', '#/streams'],
  ['a stream', '#/streams/STREAM'],
  ['a stream, measured with weights that fade', '#/streams/STREAM?measure=faded'],
  ['data', '#/data?source=weird+<b>table.csv&target=class'],
  ['a model to try', '#/try/RUN'],
  ['nothing', '#/nowhere'],
] as const;

describe('the studio in Chromium', () => {
  let browser: Browser;
  let context: BrowserContext;
  let folder: string;
  let studio: Studio;
  const ids = new Map<string, string>();
  const faults: string[] = [];
  /** On which all views are looked at, one after the other. */
  let views: Page | undefined;

  beforeEach((test) => test.skip(noChromium !== undefined, noChromium));

  beforeAll(async () => {
    if (noChromium !== undefined) return;
    browser = await launchChromium();
    folder = await runsFolder();
    const source = await writeWeirdTable(folder);
    await trainOnTable(source, join(folder, 'runs', 'first'));
    await trainOnTable(source, join(folder, 'runs', 'second'), { method: { name: 'one-hot' } });
    // In the middle the classes change places, which the detector notices; their names are weird, too.
    const rows = twoClasses({ rows: 3000, seed: 1, share: 0.2, swapAt: 1500 });
    await writeRows(
      join(folder, 'rows.ndjson'),
      rows.map((row) => ({ ...row, class: `=<img src=x onerror=alert(1)> ${row.class}` })),
    );
    await follow(folder, 'rows.ndjson', 'changing');
    studio = await startStudio({ folders: [join(folder, 'runs'), join(folder, 'streams')], base: folder });
    context = await browser.newContext({ viewport: { width: 1200, height: 844 } });
    const page = await newPage();
    await page.goto(studio.address);
    await page.getByRole('link', { name: 'second' }).waitFor();
    for (const name of ['first', 'second']) {
      const address = await page.getByRole('link', { name }).getAttribute('href');
      ids.set(name, address?.split('/').at(-1) ?? '');
    }
    await page.goto(`http://127.0.0.1:${studio.port}/#/streams`);
    const stream = await page.getByRole('link', { name: 'changing' }).getAttribute('href');
    ids.set('changing', stream?.split('/').at(-1) ?? '');
    await page.close();
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  /** A page whose errors count. */
  async function newPage(): Promise<Page> {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => faults.push(dialog.message()));
    return page;
  }

  async function open(hash: string): Promise<Page> {
    const page = await newPage();
    onTestFinished(() => page.close());
    await show(page, hash);
    return page;
  }

  /** Goes to a view and waits until it has loaded; only what is behind the `#` changes on a page that is open. */
  async function show(page: Page, hash: string): Promise<void> {
    const address = hash
      .replace('RUN', ids.get('first') ?? '')
      .replace('OTHER', ids.get('second') ?? '')
      .replace('STREAM', ids.get('changing') ?? '');
    await page.goto(`http://127.0.0.1:${studio.port}/${address}`);
    await page.locator('main *').first().waitFor();
    // The view of before may still be there: a frame draws the new one.
    await page.evaluate(async () => {
      for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame);
    });
    await page.waitForFunction(() => document.querySelector('.loading') === null);
  }

  it.each(VIEWS)(
    '%s: no fault, nothing that axe calls serious, nothing cut off on a phone, light and dark',
    { timeout: SLOW },
    async (_, hash) => {
      faults.length = 0;
      views ??= await newPage();
      await views.setViewportSize({ width: 1200, height: 844 });
      await views.emulateMedia({ colorScheme: 'light' });
      await show(views, hash);
      expect(await seriousViolations(views)).toEqual([]);
      await views.emulateMedia({ colorScheme: 'dark' });
      expect(await seriousViolations(views, ['color-contrast'])).toEqual([]);
      await views.setViewportSize({ width: 390, height: 844 });
      expect(await views.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      expect(await cutOff(views)).toEqual([]);
      expect(await views.title()).not.toContain('pwned');
      expect(faults).toEqual([]);
    },
  );

  it('without the cookie there is nothing to see', async () => {
    const stranger = await browser.newContext();
    const page = await stranger.newPage();
    await page.goto(`http://127.0.0.1:${studio.port}/`);
    expect(await page.locator('body').textContent()).toContain('open the studio by the address that it printed');
    await stranger.close();
  });

  it('fault 48: 1,000 runs are filtered, sorted and picked by keys, with few rows in the page at any time', {
    timeout: SLOW,
  }, async () => {
    const many = join(folder, 'runs', 'many');
    await copyRuns(join(folder, 'runs', 'first'), many, 1000, 1);
    onTestFinished(() => rm(many, { recursive: true, force: true }));
    const page = await open('#/runs');
    await page.getByText('1,002 runs').waitFor({ timeout: 60_000 });
    expect(await page.locator('tbody tr').count()).toBeLessThan(100);
    await page.keyboard.press('/');
    await page.keyboard.type('seed>=990');
    await page.getByText('11 runs').waitFor();
    await page.getByRole('button', { name: 'seed' }).click();
    const first = page.locator('tbody tr').first();
    expect(await first.locator('th').textContent()).toBe('run-1000');
    await first.focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByRole('link', { name: 'Compare 2' }).waitFor();
    await page.getByLabel('seeds as one').check();
    await page.getByText('1 group').waitFor();
    // Who gets this address sees the same.
    const shared = await newPage();
    await shared.goto(page.url());
    await shared.getByText('1 group').waitFor();
    await shared.close();
  });

  it('fault 48: a run that is being written grows on the page, and one that is deleted says so', {
    timeout: SLOW,
  }, async () => {
    const grown = join(folder, 'runs', 'growing');
    await copyRuns(join(folder, 'runs', 'first'), grown, 1);
    const run = join(grown, 'run-0000');
    await rm(join(run, 'evaluation.json'));
    const page = await open('#/runs');
    await page.getByRole('link', { name: 'run-0000' }).click();
    await page.getByText('2 of 2 epochs').waitFor();
    const path = page.locator('.line-chart path').first();
    const before = await path.getAttribute('d');
    const [line = ''] = (await readFile(join(run, 'metrics.jsonl'), 'utf8')).split('\n');
    await appendFile(join(run, 'metrics.jsonl'), `${line.replace('"epoch":0', '"epoch":2')}\n`);
    await page.getByText('3 of 2 epochs').waitFor();
    await page.waitForFunction((old) => document.querySelector('.line-chart path')?.getAttribute('d') !== old, before);
    await rm(grown, { recursive: true });
    await page.getByText('This run no longer exists').waitFor();
  });

  it('a stream shows what its detector found, in the list and in the charts', { timeout: SLOW }, async () => {
    const page = await open('#/streams/STREAM');
    const found = await page.locator('.events li').count();
    expect(found).toBeGreaterThan(0);
    expect(await page.locator('.line-chart').first().locator('.mark').count()).toBe(found);
    expect(await page.locator('.events li').last().textContent()).toMatch(/^row 1,\d{3}: the recall of .* fell to/);
    await page.getByRole('img', { name: 'Recall of every class over rows' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/^row 3,000: .*common/).waitFor();
  });

  it('a stream grows on the page while it is followed, and says when it is not', { timeout: SLOW }, async () => {
    const rows = twoClasses({ rows: 600, seed: 2, share: 0.3 });
    await writeRows(join(folder, 'growing.ndjson'), rows.slice(0, 300));
    const end = new AbortController();
    const followed = follow(folder, 'growing.ndjson', 'growing', end.signal).catch(() => undefined);
    onTestFinished(async () => {
      end.abort();
      await followed;
      await rm(join(folder, 'streams', 'growing'), { recursive: true, force: true });
    });
    const page = await open('#/streams');
    await page.getByRole('link', { name: 'growing' }).click();
    await page.getByText('300 rows', { exact: true }).waitFor();
    await page.locator('.facts').getByText('running', { exact: true }).waitFor();
    const path = page.locator('.line-chart path').first();
    const before = await path.getAttribute('d');
    await writeRows(join(folder, 'growing.ndjson'), rows.slice(300));
    await page.getByText('600 rows', { exact: true }).waitFor();
    await page.waitForFunction((old) => document.querySelector('.line-chart path')?.getAttribute('d') !== old, before);
    end.abort();
    await page.locator('.facts').getByText('not running').waitFor();
    await followed;
    await rm(join(folder, 'streams', 'growing'), { recursive: true });
    await page.getByText('This stream no longer exists').waitFor();
  });

  it('fault 48: ten pages at once all load, though a browser has six connections to a server', {
    timeout: 2 * SLOW,
  }, async () => {
    const pages: Page[] = [];
    for (let i = 0; i < 10; i++) pages.push(await open(i % 2 === 0 ? '#/runs' : '#/runs/RUN'));
    for (const [i, page] of pages.entries()) {
      if (i % 2 === 0) await page.getByRole('link', { name: 'first' }).waitFor();
      else await page.locator('.line-chart path').first().waitFor();
    }
    expect(studio.streams.size).toBeLessThan(6);
  });

  it('tags and a note are kept', { timeout: SLOW }, async () => {
    const page = await open('#/runs/OTHER');
    await page.getByLabel('Tags').fill('baseline, <b>bold</b>');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('saved').waitFor();
    await page.getByRole('link', { name: 'Runs' }).first().click();
    await page.locator('.tag', { hasText: '<b>bold</b>' }).waitFor();
  });

  it('pictures are saved as SVG and PNG, tables as CSV', { timeout: SLOW }, async () => {
    const page = await open('#/runs/RUN?tab=confusion');
    const saved = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).first().click(),
      ]);
      return readFile(await download.path());
    };
    const svg = (await saved('Save “Answers” as SVG')).toString('utf8');
    expect(svg).toMatch(/^<svg/);
    expect(svg).not.toContain('var(--');
    expect((await saved('Save “Answers” as PNG')).subarray(1, 4).toString()).toBe('PNG');
    await page.getByRole('link', { name: 'Classes' }).click();
    const csv = (await saved('Save “Table of classes” as CSV')).toString('utf8');
    expect(csv.split('\r\n')[0]).toBe('class,training,validation,test,recall,95 % interval,precision,F1');
    expect(csv).toContain("'=cmd");
  });

  it('the time slider shows the matrix of another epoch', { timeout: SLOW }, async () => {
    const page = await open('#/runs/RUN?tab=training');
    const slider = page.getByLabel('Epoch', { exact: true });
    expect(await slider.getAttribute('aria-valuetext')).toBe('epoch 2');
    await slider.press('ArrowLeft');
    await page.getByLabel('Generator matrix of epoch 1, minus the identity').waitFor();
  });

  it('a training is started from the form, watched, stopped, and goes on', { timeout: 3 * SLOW }, async () => {
    const page = await open('#/data?source=weird+<b>table.csv');
    await page.getByLabel('The classes are in the column').selectOption('class');
    await page.getByLabel('model.name').selectOption('mlp');
    const epochs = page.getByLabel('epochs', { exact: true });
    await page.waitForFunction(() => document.querySelector('#option-epochs')?.getAttribute('placeholder') === '60');
    await epochs.fill('-1');
    await page.getByRole('alert').filter({ hasText: 'epochs' }).waitFor();
    await epochs.fill('100000');
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await page.getByRole('button', { name: 'Stop' }).click({ timeout: SLOW });
    await page.getByRole('button', { name: 'Resume' }).click({ timeout: SLOW });
    await page.getByRole('button', { name: 'Stop' }).click({ timeout: SLOW });
    await page.getByRole('button', { name: 'Resume' }).waitFor({ timeout: SLOW });
    expect(await page.locator('.line-chart').count()).toBeGreaterThan(0);
  });

  it('a model is tried by a form', { timeout: SLOW }, async () => {
    const page = await open('#/try/RUN');
    await page.getByLabel('x', { exact: true }).fill('0.5');
    await page.getByLabel('colour').selectOption('red');
    await page.getByRole('button', { name: 'Predict' }).click();
    await page.getByRole('heading', { name: /^Answer: / }).waitFor();
    expect(await page.locator('.probabilities').first().locator('tbody tr').count()).toBe(8);
    expect(await page.title()).not.toContain('pwned');
  });

  it('the playground is one click away, and trains under the same guard', { timeout: SLOW }, async () => {
    faults.length = 0;
    const page = await open('#/runs');
    const started = page.waitForEvent('worker');
    await page.getByRole('link', { name: 'Playground' }).click();
    await started;
    await page
      .getByText(/epoch [1-9]/)
      .first()
      .waitFor();
    expect(faults).toEqual([]);
  });

  it('a click on a curve picks the run', { timeout: SLOW }, async () => {
    const page = await open('#/compare?runs=RUN,OTHER');
    expect(await page.locator('h2', { hasText: 'What differs' }).count()).toBe(1);
    await page.getByRole('button', { name: 'second' }).click();
    await page.getByText('Picked: second').waitFor();
    await page.getByRole('status').getByRole('link', { name: 'second' }).click();
    await page.getByRole('heading', { level: 1, name: 'second' }).waitFor();
  });
});
