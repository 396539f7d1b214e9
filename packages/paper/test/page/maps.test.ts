import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeReproductionPage } from '../../src/page/write-reproduction-page.js';
import { writeTable } from '../small-data.js';
import { CIFAR_CE, pageFolder, resultLine, writeCellRun, writeResults } from './results.js';

/** Two images of each answer: the network is sure of all of them, or of only half. */
const SURE = [1, 1, 0, 0];
const UNSURE = [1, 0.8, 0.2, 0];

describe('t-SNE', () => {
  let folder: string;
  let runs: string;
  const cells = (['one-hot', 'enhancement'] as const).map((method) =>
    resultLine({ ...CIFAR_CE, method }, { trainingCounts: [50, 40], softConfusion: null, recall: [0.5, 0.5] }),
  );

  beforeAll(async () => {
    folder = await pageFolder();
    runs = join(folder, 'runs');
    await writeResults(join(folder, 'results'), cells);
    const source = await writeTable(folder, ['a', 'b']);
    for (const [i, cell] of cells.entries()) {
      const run = await writeCellRun(runs, cell, source);
      const rows = (i === 0 ? UNSURE : SURE).map((a, k) => `${k},a,${a > 0.5 ? 'a' : 'b'},${a},${1 - a}\n`);
      await writeFile(join(run, 'predictions.csv'), `instance,class,predicted,a,b\n${rows.join('')}`);
    }
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function markdownWith(runsFolder: string): Promise<string> {
    await writeReproductionPage({ results: join(folder, 'results'), runs: runsFolder, folder: join(folder, 'docs') });
    return readFile(join(folder, 'docs', 'reproduction.md'), 'utf8');
  }

  it('is drawn with and without enhancement, and measured', async () => {
    const markdown = await markdownWith(runs);
    expect(markdown).toContain('](figures/t-sne-cifar10-lt-cpu-one-hot.svg)');
    expect(markdown).toContain('](figures/t-sne-cifar10-lt-cpu-enhancement.svg)');
    // One-hot: within the answers 4·0.1², in all 2·(0.5² + 0.3²), in both dimensions alike.
    const scatter = (0.04 / 0.68).toFixed(3);
    expect(markdown).toContain(`mean of all: ${scatter} → 0.000 of the network’s outputs`);
  });

  it('is left out with a sentence where there are no run folders', async () => {
    expect(await markdownWith(join(folder, 'nowhere'))).toContain(
      'There are no run folders of these runs with test outputs.',
    );
  });

  it('does not take the run of another configuration', async () => {
    const [oneHot] = cells;
    const file = join(runs, 'table2.cpu', 'cifar10-lt', 'ce', 'one-hot', '0', 'config.json');
    await writeFile(file, JSON.stringify({ ...oneHot?.config, epochs: 3 }));
    expect(await markdownWith(runs)).toContain('There are no run folders of these runs with test outputs.');
  });
});
