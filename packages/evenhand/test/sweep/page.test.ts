import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, noChromium } from '../../../../test/chromium.js';
import { parseSweep } from '../../src/sweep/definition.js';
import type { TrialOutcome } from '../../src/sweep/outcome.js';
import { writeSweepPage } from '../../src/sweep/page/write-sweep-page.js';

const data = { source: '<img src=x onerror="document.title=1">.csv', target: 'class' };

const outcome = (
  trial: number,
  values: TrialOutcome['values'],
  score: number | null,
  isComplete = true,
): TrialOutcome => ({
  trial,
  values,
  rung: 0,
  epoch: isComplete ? 60 : 20,
  isComplete,
  score,
  standardError: score === null ? null : 0.01,
});

let folder = '';
const paths = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenhand-sweep-page-'));
  const [rates, updating] = [
    [1, 3, 10, 30],
    [0.1, 0.3, 1],
  ];
  const grid = { 'method.enhancementRate': rates, 'method.updatingRate': updating };
  const cells = rates.flatMap((rate, i) =>
    updating.map((update, j) =>
      outcome(
        3 * i + j,
        { 'method.enhancementRate': rate, 'method.updatingRate': update },
        i + j === 5 ? null : 0.5 + 0.07 * i,
      ),
    ),
  );
  await write('map', grid, cells);
  const search = {
    'optimizer.learningRate': { from: 1e-3, to: 0.1, scale: 'log' },
    'loss.name': ['focal', 'cross-entropy'],
  };
  const points = Array.from({ length: 9 }, (_, i) =>
    outcome(
      i,
      { 'optimizer.learningRate': 10 ** -(1 + i / 5), 'loss.name': i % 2 ? 'focal' : 'cross-entropy' },
      i / 9,
      i > 3,
    ),
  );
  await write('scatter', search, points);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, search: object, trials: readonly TrialOutcome[]): Promise<void> {
  const definition = parseSweep({ config: { data }, search });
  const path = join(folder, `${name}.html`);
  const written = await writeSweepPage({ folder, definition, trials, bestConfig: undefined });
  await rename(written, path);
  paths.set(name, path);
}

const read = (name: string) => readFile(paths.get(name) ?? '', 'utf8');

it('two lists make one map with a number in every cell; what diverged says so', async () => {
  const page = await read('map');
  const svg = page.match(/<svg[^>]*role="img".*?<\/svg>/s)?.[0] ?? '';
  expect(svg.match(/>(50|57|64|71)\.0</g)).toHaveLength(11);
  expect(svg.match(/>diverged</g)).toHaveLength(1);
});

it('other options have a chart each, with a mark for every trial', async () => {
  const page = await read('scatter');
  const charts = page.match(/<svg[^>]*role="img".*?<\/svg>/gs) ?? [];
  expect(charts).toHaveLength(2);
  for (const chart of charts) expect(chart.match(/<circle |<path d="M-[\d.]+,-[\d.]+h/g)).toHaveLength(9);
});

it('fault 32: names are inert', async () => {
  expect(await read('map')).not.toContain('<img');
});

describe('in Chromium', () => {
  let browser: Browser;
  beforeEach((context) => context.skip(noChromium !== undefined, noChromium));
  beforeAll(async () => {
    if (noChromium === undefined) browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it.each([
    ['map', 'light'],
    ['map', 'dark'],
    ['scatter', 'light'],
    ['scatter', 'dark'],
  ] as const)('the page with a %s, %s, has no fault, fits a phone and is accessible', async (name, colorScheme) => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme });
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(pathToFileURL(paths.get(name) ?? '').href);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
      'axe.run()',
    );
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });
});
