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
  const crowded = {
    'optimizer.learningRate': { from: 1e-4, to: 0.5, scale: 'log' },
    'optimizer.weightDecay': { from: 0.02, to: 0.3, scale: 'log' },
    'model.dropout': { from: 0.125, to: 0.475, scale: 'linear' },
    batchSize: [16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024],
    'model.hidden': [[128, 64], [256, 128, 64], [512, 256], [64, 32, 16, 8], [1024]],
  };
  await write(
    'crowded scatter',
    crowded,
    Array.from({ length: 13 }, (_, i) =>
      outcome(
        i,
        {
          'optimizer.learningRate': 10 ** -(1 + i / 5),
          'optimizer.weightDecay': 0.02 + i / 50,
          'model.dropout': 0.125 + i / 60,
          batchSize: crowded.batchSize[i] ?? 16,
          'model.hidden': crowded['model.hidden'][i % 5] ?? [],
        },
        i / 13,
      ),
    ),
  );
  const [hidden, names] = [crowded['model.hidden'], ['re-weighting', 'cost-sensitiveness', 'enhancement']];
  await write(
    'crowded map',
    { 'method.name': names, 'model.hidden': hidden },
    names.flatMap((name, i) =>
      hidden.map((layers, j) => outcome(5 * i + j, { 'method.name': name, 'model.hidden': layers }, 0.5 + i / 20)),
    ),
  );
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

it('is called by the name of the data, not by its path', async () => {
  const definition = parseSweep({
    config: { data: { source: '/some/where/data/fraud.csv', target: 'class' } },
    search: { epochs: [1, 2] },
  });
  const page = await readFile(await writeSweepPage({ folder, definition, trials: [], bestConfig: undefined }), 'utf8');
  expect(page).toContain('<title>Sweep of fraud.csv</title>');
  expect(page).not.toContain('/some/where');
});

it('has every value of a list beside its chart, whole', async () => {
  const page = await read('crowded scatter');
  for (const name of ['16', '1024', '[128,64]', '[256,128,64]', '[64,32,16,8]'])
    expect(page).toContain(`>${name}</text>`);
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

  it.each(['map', 'scatter', 'crowded map', 'crowded scatter'])('no label of the %s covers another', async (name) => {
    const page = await browser.newPage({ viewport: { width: 1100, height: 844 } });
    await page.goto(pathToFileURL(paths.get(name) ?? '').href);
    const overlaps = await page.evaluate(() =>
      [...document.querySelectorAll('svg[role=img]')].flatMap((svg) => {
        const labels = [...svg.querySelectorAll('text')].filter((text) => text.textContent !== '');
        const boxes = labels.map((text) => ({
          text: text.textContent,
          box: text.getBoundingClientRect(),
        }));
        return boxes.flatMap((a, i) =>
          boxes
            .slice(i + 1)
            .filter(
              (b) =>
                a.box.left < b.box.right - 1 &&
                b.box.left < a.box.right - 1 &&
                a.box.top < b.box.bottom - 2 &&
                b.box.top < a.box.bottom - 2,
            )
            .map((b) => `${a.text} × ${b.text}`),
        );
      }),
    );
    expect(overlaps).toEqual([]);
    await page.close();
  });

  it.each([
    ['map', 'light'],
    ['map', 'dark'],
    ['scatter', 'light'],
    ['scatter', 'dark'],
    ['crowded map', 'light'],
    ['crowded scatter', 'light'],
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
