import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeReproductionPage } from '../../src/page/write-reproduction-page.js';
import { cellOf } from '../../src/tables/cells.js';
import { CIFAR_CE, evenClasses, LONG_TAIL, LONG_TAIL_CE, longTail, resultLine, writeResults } from './results.js';
import { folderOfTest, written, writtenOf } from './written-page.js';

describe('tables', () => {
  it("puts our mean and deviation beside the paper's", async () => {
    const { markdown } = await written(longTail([89, 90, 91], []));
    expect(markdown).toContain('| CE, one-hot | 3 | 90.00 ± 1.00 | 89.14 ± 0.13 | +0.86 |');
  });

  it('pairs enhancement with one-hot by seed and tells both p-values', async () => {
    // Differences 1, 2, 3: mean 2, SD 1, t = 2·√3; with two degrees of freedom p = 1 − t/√(2 + t²). Of the eight ways to
    // flip signs, two are as extreme.
    const t = 2 * Math.sqrt(3);
    const p = (1 - t / Math.sqrt(2 + t * t)).toFixed(3);
    const { markdown } = await written(longTail([89, 90, 91], [90, 92, 94]));
    expect(markdown).toContain(`| MNIST, long tail, CE | top-1 | +2.00 | +2.29 | 3 | ${p} | 0.250 |`);
    expect(markdown).toContain(
      `**MNIST, long tail, CE, top-1:** Undecided: enhancement is 2.00 points ahead, which may be chance over 3 seeds (p = ${p}). ` +
        'Enhancement is 0.57 above the paper’s, one-hot 0.86 above the paper’s.',
    );
  });

  it('says so when enhancement is behind', async () => {
    const { markdown } = await written(longTail([90], [89.5]));
    expect(markdown).toContain('Undecided: enhancement is 0.50 points behind, with one seed only.');
    expect(markdown).toMatch(/\*\*disagrees so far:\*\* Table 1.*ahead of one-hot/);
  });

  it('decides where the difference is more than the chance of the seeds', async () => {
    const { markdown: ahead } = await written(longTail([89, 90, 91], [91, 92.1, 92.9]));
    expect(ahead).toMatch(/Agrees: enhancement is 2\.00 points ahead, more than the seed’s chance over 3 seeds/);
    const { markdown: behind } = await written(longTail([91, 92.1, 92.9], [89, 90, 91]));
    expect(behind).toMatch(/Disagrees: enhancement is 2\.00 points behind, more than the seed’s chance over 3 seeds/);
  });

  it('calls level what shows no difference in two decimals', async () => {
    const { markdown } = await written(longTail([90], [90.004]));
    expect(markdown).toContain('Undecided: enhancement is level over 1 seed. ');
    expect(markdown).toContain('Ahead in 0 of 1 row');
  });

  it('shows the recall of each class, mean over seeds', async () => {
    const recall = (first: number) => [first, ...new Array<number>(8).fill(0.5), null];
    const { markdown } = await written([
      resultLine({ ...LONG_TAIL_CE, method: 'one-hot', seed: 0 }, { recall: recall(0.9) }),
      resultLine({ ...LONG_TAIL_CE, method: 'one-hot', seed: 1 }, { recall: recall(0.8) }),
    ]);
    expect(markdown).toContain('| loss, method | 0 (5,918) |');
    expect(markdown).toMatch(/\| CE, one-hot \| 85\.0 \| (50\.0 \| ){8}– \|/);
  });

  it('groups many classes by their training images', async () => {
    const key = { table: 'table3', scale: 'cpu', setting: 'caltech101', loss: 'ce', method: 'one-hot' } as const;
    const trainingCounts = Array.from({ length: 101 }, (_, p) => 775 - 7 * p);
    const recall = trainingCounts.map((_, p) => (p < 25 ? 0.8 : 0.4));
    const { markdown } = await written([resultLine(key, { trainingCounts, recall, softConfusion: null })]);
    expect(markdown).toContain('| 25 classes (775–607) | 26 classes (600–425) |');
    expect(markdown).toContain('| CE, one-hot | 80.0 | 40.0 | 40.0 | 40.0 |');
  });

  it('shows methods that the paper does not have', async () => {
    const { markdown } = await written([resultLine({ ...LONG_TAIL_CE, method: 'ldam' }, { top1: 0.9 })]);
    expect(markdown).toContain('| CE, ldam | 1 | 90.00 | – | – |');
  });

  it('shows what is missing, its cost and its command', async () => {
    const { markdown } = await written(longTail([89, 90, 91], [90, 92, 94]));
    expect(markdown).toContain('| CE, re-weighting | not run | – | 90.95 | – |');
    // 14 runs · 30 epochs · 12,214 images · 0.15 ms
    expect(markdown).toContain('| MNIST, long tail, CE | 14 | about 13 core-minutes |');
    expect(markdown).toContain('\nnpm run reproduce -- table1 --scale paper --only long-tail/ce\n');
    expect(markdown).toContain('| Table 3, scale “paper” | 60 |');
  });

  it('leaves out results of another configuration and says so', async () => {
    const [first, ...others] = longTail([89, 90, 91], []);
    const stale = first === undefined ? [] : [{ ...first, config: { ...first.config, epochs: 7 } }];
    const { markdown } = await written([...stale, ...others]);
    expect(markdown).toContain('1 result of another configuration than the present one is left out.');
    expect(markdown).toContain('| CE, one-hot | 2 | 90.50 ± 0.71 |');
  });

  it('counts the last of several lines of a cell', async () => {
    const { markdown } = await written([...longTail([89], []), ...longTail([91], [])]);
    expect(markdown).toContain('| CE, one-hot | 1 | 91.00 | 89.14 ± 0.13 | +1.86 |');
  });
});

describe('what was run', () => {
  it('checks the images against the paper’s formulas', async () => {
    const { markdown } = await written([
      ...longTail([90], []).map((line) => ({ ...line, trainingCounts: [...LONG_TAIL.slice(0, 9), 8] })),
      resultLine({ ...CIFAR_CE, method: 'one-hot' }),
    ]);
    expect(markdown).toMatch(/MNIST, long tail: ⌈n\/2ᵖ⌉.*: 9 of 10 classes .*\*\*Not as in the paper\.\*\*/);
    expect(markdown).toMatch(/imbalance factor of 100: 12,406 images of 10 classes.*\*\*As in the paper\.\*\*/);
  });

  it('counts what diverged beside the rest, and does not ask for it again', async () => {
    const [whole, ...others] = [0, 1, 2, 3, 4].map((seed) =>
      cellOf({ ...LONG_TAIL_CE, method: 'enhancement', seed, subset: 0 }),
    );
    const folder = await folderOfTest();
    const results = join(folder, 'results');
    await writeResults(results, longTail([90, 90, 90, 90, 90], [91]));
    const diverged = others.map((cell) => `${JSON.stringify({ ...cell, diverged: 'the loss diverged' })}\n`).join('');
    await appendFile(join(results, 'table1.paper.jsonl'), diverged);
    expect(whole?.seed).toBe(0);
    const { markdown } = await writtenOf(results, join(folder, 'docs'));
    expect(markdown).toContain('| CE, enhancement | 1, 4 diverged | 91.00 |');
    expect(markdown).toContain('Diverged, and not in the means: 4 seeds of enhancement.');
    expect(markdown).toContain('| MNIST, long tail, CE | 10 |'); // the two ablations
  });

  it('counts a row in which enhancement always diverges as one in which it is not ahead', async () => {
    const folder = await folderOfTest();
    const results = join(folder, 'results');
    const lines = [...longTail([90], []), ...evenClasses([98], [99])];
    await writeResults(results, lines);
    const cell = cellOf({ ...LONG_TAIL_CE, method: 'enhancement', seed: 0, subset: 0 });
    const diverged = `${JSON.stringify({ ...cell, diverged: 'the loss diverged' })}\n`;
    await appendFile(join(results, 'table1.paper.jsonl'), diverged + diverged);
    const { markdown } = await writtenOf(results, join(folder, 'docs'));
    expect(markdown).toContain('| CE, enhancement | 0, 1 diverged | – |');
    expect(markdown).toMatch(/\*\*partly:\*\* Table 1, .*Ahead in 1 of 1 row .* 1 seed of enhancement diverged\./);
    expect(markdown).not.toContain('long tail lacks re-weighting, cost-sensitiveness, enhancement');
  });

  it('takes a result for the cell’s although it diverged on another device', async () => {
    const folder = await folderOfTest();
    const results = join(folder, 'results');
    await writeResults(results, longTail([90], []));
    const cell = cellOf({ ...LONG_TAIL_CE, method: 'one-hot', seed: 0, subset: 0 }, { device: 'cuda' });
    await appendFile(join(results, 'table1.paper.jsonl'), `${JSON.stringify({ ...cell, diverged: 'it did' })}\n`);
    const { markdown } = await writtenOf(results, join(folder, 'docs'));
    expect(markdown).toContain('| CE, one-hot | 1 | 90.00 |');
  });

  it('refuses results of another table in a file', async () => {
    const folder = await folderOfTest();
    const results = join(folder, 'results');
    await mkdir(results);
    const line = resultLine({ ...CIFAR_CE, method: 'one-hot' });
    await writeFile(join(results, 'table1.paper.jsonl'), `${JSON.stringify(line)}\n`);
    await expect(writeReproductionPage({ results, folder: join(folder, 'docs') })).rejects.toThrow(
      /table1\.paper\.jsonl holds a result of table2 at the scale "cpu" \(cifar10-lt\/ce\/one-hot\/0\); move it/,
    );
  });
});

describe('spread over subsets', () => {
  it('shows the first seed on every subset, and the paired difference', async () => {
    const other = (method: 'one-hot' | 'enhancement', top1: number) =>
      resultLine({ ...LONG_TAIL_CE, method, subset: 1 }, { top1 });
    const { markdown } = await written([
      ...longTail([89, 80], [90]),
      other('one-hot', 0.87),
      other('enhancement', 0.9),
    ]);
    // One-hot 89 and 87: mean 88, SD √2; seeds 89 and 80: SD 9/√2 = 6.36; differences 1 and 3.
    expect(markdown).toContain('| MNIST, long tail, CE | one-hot | 2 | 88.00 ± 1.41 | 87.00 | 89.00 | 6.36 |');
    expect(markdown).toContain('enhancement is ahead of one-hot on 2 of 2 subsets, by 2.00 ± 1.41 points.');
  });

  it('tells the command where there is none', async () => {
    const { markdown } = await written([]);
    expect(markdown).toContain('`npm run reproduce -- table1 --scale paper --only long-tail/ce --subsets 5`');
  });
});
