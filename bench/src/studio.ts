import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { train } from 'evenhand';
import { type Browser, chromium } from 'playwright-core';
import type { Comparison } from './measure.js';
import { type Server, startServer } from './server-process.js';

/** Files of a run that the table of runs is made of. */
const SUMMARISED = ['environment.json', 'classes.json', 'metrics.jsonl', 'evaluation.json'];
const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** How long a browser that was never here before waits for the studio's table of runs. There is no peer. */
export async function benchStudio(quick: boolean, progress: (text: string) => void): Promise<Comparison[]> {
  const executablePath = CHROMIUM.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) {
    progress('studio: skipped, because no Chromium was found; install it or set CHROMIUM');
    return [];
  }
  const runs = quick ? 20 : 1000;
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-bench-'));
  let browser: Browser | undefined;
  let studio: Server | undefined;
  try {
    progress(`studio: writing ${runs} runs`);
    await writeRuns(folder, runs);
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    const [paints, rows]: [number[], number[]] = [[], []];
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      const cli = fileURLToPath(new URL('../bin/evenhand.js', import.meta.resolve('evenhand')));
      studio = await startServer([cli, 'studio', '--no-open', '--json', '--quiet'], folder);
      const context = await browser.newContext();
      const page = await context.newPage();
      const start = performance.now();
      await page.goto(studio.address);
      await page.getByText(`${runs.toLocaleString('en-US')} runs`).waitFor();
      rows.push(performance.now() - start);
      const [paint] = await page.evaluate(() =>
        performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime),
      );
      paints.push(paint ?? Number.NaN);
      progress(
        `studio: first paint after ${Math.round(paint ?? 0)} ms, all runs after ${Math.round(rows.at(-1) ?? 0)} ms`,
      );
      await context.close();
      studio.process.kill('SIGKILL');
    }
    return [best(`first paint, ${runs} runs`, paints), best(`table complete, ${runs} runs`, rows)];
  } finally {
    studio?.process.kill('SIGKILL');
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function best(name: string, values: readonly number[]): Comparison {
  return { name, unit: 'ms', ours: Math.round(Math.min(...values)), theirs: null, peer: null, ratio: null };
}

/** One run that was trained, and copies of it with other seeds. */
async function writeRuns(folder: string, runs: number): Promise<void> {
  const source = join(folder, 'table.csv');
  await writeFile(source, `x,class\n${Array.from({ length: 200 }, (_, i) => `${i % 13},${'aab'[i % 3]}\n`).join('')}`);
  const model = { name: 'mlp' as const, hidden: [4] };
  const first = join(folder, 'runs', 'run-0');
  await train({ data: { source, target: 'class' }, model, epochs: 5 }, { folder: first });
  const config = JSON.parse(await readFile(join(first, 'config.json'), 'utf8'));
  for (let seed = 1; seed < runs; seed++) {
    const copy = join(folder, 'runs', `run-${seed}`);
    await mkdir(copy);
    for (const name of SUMMARISED) await copyFile(join(first, name), join(copy, name));
    await writeFile(join(copy, 'config.json'), JSON.stringify({ ...config, seed }));
  }
}
