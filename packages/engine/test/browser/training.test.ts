import type { Server } from 'node:http';
import * as onnxRuntime from 'onnxruntime-node';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, noChromium } from '../../../../test/chromium.js';
import * as engine from '../../src/index.js';
import { lenetFeeds, lenetProgram, lenetRows } from '../runtime/lenet.js';
import { predictWithFile } from '../runtime/predict-with-file.js';
import type { train } from './page.js';
import { serve } from './server.js';

const STEPS = 20;
const classNames = Array.from({ length: 10 }, (_, i) => `stripes ${i}`);
const program = lenetProgram(engine, 7);

describe('LeNet-5 trained in Chromium with onnxruntime-web', () => {
  let server: Server | undefined;
  let browser: Browser | undefined;
  let inBrowser: Awaited<ReturnType<typeof train>>;
  const errors: string[] = [];
  const requests: URL[] = [];
  let origin: string;

  beforeEach((context) => context.skip(noChromium !== undefined, noChromium));

  beforeAll(async () => {
    if (noChromium !== undefined) return;
    ({ server, origin } = await serve(program));
    browser = await launchChromium();
    const page = await browser.newPage();
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('request', (request) => requests.push(new URL(request.url())));
    await page.goto(origin);
    inBrowser = await page.evaluate<typeof inBrowser>(`train(${STEPS}, ${JSON.stringify(classNames)})`);
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it("has Node's losses, which fall", async () => {
    const session = await engine.ProgramSession.create(onnxRuntime, program, { threads: 1 });
    const losses: number[] = [];
    for (let step = 0; step < STEPS; step++) losses.push(await session.step(lenetFeeds(step)));
    const predicted = await session.predict(lenetRows());
    await session.close();

    const deviations = losses.map((loss, step) => Math.abs((inBrowser.losses[step] ?? Number.NaN) / loss - 1));
    expect(inBrowser.losses).toHaveLength(STEPS);
    expect(Math.max(...deviations)).toBeLessThan(1e-3);
    expect(losses.at(-1)).toBeLessThan((losses[0] ?? 0) / 2);
    expect(largestDifference(inBrowser.predicted, predicted)).toBeLessThan(1e-3);
  });

  it('exports a file that gives the same probabilities there and in Node', async () => {
    const file = Uint8Array.from(inBrowser.file);
    const probabilities = await predictWithFile(onnxRuntime, file, program.input, lenetRows());
    expect(probabilities).toHaveLength(program.evaluationBatch * program.classes);
    expect(largestDifference(inBrowser.probabilities, probabilities)).toBeLessThan(1e-4);
    const before = inBrowser.predicted.slice(0, probabilities.length);
    expect(largestDifference(inBrowser.probabilities, before)).toBeLessThan(1e-4);
    expect(engine.readMetadata(engine.readModel(file))).toEqual({ classNames });
  });

  it('asks nobody but its own server, and raises no error', () => {
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.filter((url) => url.origin !== origin && url.protocol !== 'data:')).toEqual([]);
    expect(errors).toEqual([]);
  });
});

function largestDifference(received: ArrayLike<number>, expected: ArrayLike<number>): number {
  expect(received.length).toBe(expected.length);
  return Math.max(...Array.from(expected, (value, i) => Math.abs((received[i] ?? Number.NaN) - value)));
}
