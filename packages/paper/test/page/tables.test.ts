import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeReproductionPage } from '../../src/page/write-reproduction-page.js';
import type { CellResult } from '../../src/results/cell-result.js';
import { cellOf } from '../../src/tables/cells.js';
import {
  CIFAR_CE,
  evenClasses,
  LONG_TAIL,
  LONG_TAIL_CE,
  longTail,
  resultLine,
  wholeTable2,
  writeResults,
} from './results.js';
import { folderOfTest, written, writtenOf } from './written-page.js';

describe('tables', () => {
  it("puts our mean and deviation beside the paper's", async () => {
    const { markdown } = await written(longTail([89, 90, 91], []));
    expect(markdown).toContain('| CE, one-hot | 3 | 90.00 ± 1.00 | 89.14 ± 0.13 | +0.86 |');
  });

  it('pairs enhancement with one-hot by seed and tells the interval and the p-values', async () => {
    // Differences 1, 2, 3: mean 2, SD 1, t = 2·√3; with two degrees of freedom p = 1 − t/√(2 + t²), and the interval is 2 ± 4.303/√3.
    // Of the eight ways to flip signs, two are as extreme. There is one comparison, so that there is nothing to correct.
    const t = 2 * Math.sqrt(3);
    const p = (1 - t / Math.sqrt(2 + t * t)).toFixed(3);
    const { markdown } = await written(longTail([89, 90, 91], [90, 92, 94]));
    expect(markdown).toContain(
      `| MNIST, long tail, CE | top-1 | +2.00 \\[−0.48, 4.48\\] | +2.29 | 3 | ${p} | ${p} | 0.250 |`,
    );
    expect(markdown).toContain(
      `**MNIST, long tail, CE, top-1:** No verdict, the table is incomplete: +2.00 \\[−0.48, 4.48\\] percentage points over 3 seeds, p = ${p} after the correction. ` +
        'Enhancement is 0.57 above the paper’s, one-hot 0.86 above the paper’s.',
    );
  });

  it('decides, in a whole table, where the difference is more than the chance of the seeds after the correction', async () => {
    // Differences of −1, 0 or 1 hundredths beside the gain of a row: with cross-entropy 3 points, with the others none.
    const { markdown } = await written(
      wholeTable2(({ loss, method, seed }) => {
        const gain = (loss === 'ce' ? 0.03 : 0) + 0.0001 * (seed % 3) - 0.0001;
        return {
          top1: 0.6 + (method === 'enhancement' ? gain : 0),
          minority: 0.4 - (method === 'enhancement' ? gain : 0),
        };
      }),
    );
    expect(markdown).toMatch(
      /\*\*CIFAR-10-LT, CE, top-1:\*\* Agrees: \+3\.00 .* percentage points over 5 seeds, p &lt; 0\.001 after/,
    );
    expect(markdown).toMatch(/\*\*CIFAR-10-LT, CE, minority:\*\* Disagrees: −3\.00 /);
    expect(markdown).toMatch(/\*\*CIFAR-10-LT, MSE, top-1:\*\* Cannot tell: 0\.00 /);
  });

  it('corrects p for the number of comparisons in the table', async () => {
    // Two comparisons with the same differences 1, 2, 3: p = 0.074 each, 0.148 corrected.
    const { markdown } = await written([
      ...longTail([89, 90, 91], [90, 92, 94]),
      ...evenClasses([89, 90, 91], [90, 92, 94]),
    ]);
    expect(markdown.match(/\| 3 \| 0\.074 \| 0\.148 \| 0\.250 \|/g)).toHaveLength(2);
  });

  it('marks runs of another engine than the newest, and those that do not tell', async () => {
    const code = (engine: string) => ({ code: { gitCommit: 'c0ffee', engine } });
    const [first, second, third] = longTail([89, 90], [91]);
    if (first === undefined || second === undefined || third === undefined) throw new Error('no lines');
    const { code: _, ...before } = first;
    const { markdown } = await written([before, { ...second, ...code('aaaa') }, { ...third, ...code('bbbb') }]);
    expect(markdown).toContain('| CE, one-hot | 2† |');
    expect(markdown).toContain('| CE, enhancement | 1 |');
    expect(markdown).toContain(
      '† 2 runs of 3: 1 from before results recorded which code computed them, 1 by an engine with different rounding',
    );
    expect(markdown).toContain('The newest runs have the fingerprint bbbb.');
    expect((await written([first, second, third])).markdown).not.toContain('†');
  });

  it('compares other methods with those that learn from the same images', async () => {
    const lines = (method: CellResult['method'], values: readonly number[]) =>
      values.map((top1, seed) => resultLine({ ...LONG_TAIL_CE, method, seed }, { top1: top1 / 100 }));
    const { markdown } = await written([
      ...lines('one-hot-all-images', [92, 92.5, 93]),
      ...lines('enhancement-given-back', [93, 94.5, 96]),
    ]);
    // Differences 1, 2 and 3 again.
    expect(markdown).toContain(
      '| MNIST, long tail, CE | top-1 | enhancement, images given back | one-hot, all images | +2.00 \\[−0.48, 4.48\\] | 3 | 0.074 |',
    );
    expect(markdown).toContain('| CE, one-hot, all images | 3 | 92.50 ± 0.50 | – | – |');
  });

  it('answers the paper’s open question once it was run', async () => {
    const key = { table: 'transformers', scale: 'cpu', setting: 'vit', loss: 'ce' } as const;
    const lines = (['one-hot', 'enhancement'] as const).flatMap((method) =>
      [0, 1, 2].map((seed) =>
        resultLine(
          { ...key, method, seed },
          { top1: 0.8 + 0.01 * seed * (method === 'one-hot' ? 1 : 2), minority: null },
        ),
      ),
    );
    const { markdown } = await written(lines);
    expect(markdown).toContain('## The paper’s open question: transformers on long-tailed MNIST');
    expect(markdown).toContain('| ViT, MNIST, long tail, CE | top-1 | +1.00 \\[−1.48, 3.48\\] | – | 3 |');
    expect((await written([])).markdown).not.toContain('open question');
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
    // 14 runs of the paper's methods and 20 of the equal budget · 30 epochs · 12,214 images · 0.15 ms
    expect(markdown).toContain('| MNIST, long tail, CE | 34 | about 31 core-minutes |');
    expect(markdown).toContain('\nnpm run reproduce -- table1 --scale paper --only long-tail/ce\n');
    expect(markdown).toContain('| Table 3, scale “paper” | 60 |');
  });

  it('leaves out results of another configuration and says so', async () => {
    const [first, ...others] = longTail([89, 90, 91], []);
    const stale = first === undefined ? [] : [{ ...first, config: { ...first.config, epochs: 7 } }];
    const { markdown } = await written([...stale, ...others]);
    expect(markdown).toContain('1 result from an earlier configuration is left out.');
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
    expect(markdown).toContain('| MNIST, long tail, CE | 30 |'); // the two ablations, and the equal budget
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
    expect(markdown).toMatch(/Table 1, .* cannot tell in 1 of 1 row .* 1 seed of enhancement diverged\./);
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
    expect(markdown).toContain('enhancement is ahead of one-hot on 2 of 2 subsets, by 2.00 ± 1.41 percentage points.');
  });

  it('tells the command where there is none', async () => {
    const { markdown } = await written([]);
    expect(markdown).toContain('`npm run reproduce -- table1 --scale paper --only long-tail/ce --subsets 5`');
  });
});
