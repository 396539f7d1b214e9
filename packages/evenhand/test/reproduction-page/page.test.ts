import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CellResult } from '../../src/reproduction/cell-result.js';
import { cellOf } from '../../src/reproduction/cells.js';
import { recipeIn } from '../../src/reproduction/page/trials.js';
import { writeReproductionPage } from '../../src/reproduction/page/write-reproduction-page.js';
import { LONG_TAIL, pageFolder, resultLine, softConfusion, writeResults, writeTuning } from './results.js';

const LONG_TAIL_CE = { table: 'table1', scale: 'paper', setting: 'long-tail', loss: 'ce' } as const;
const CIFAR_CE = { table: 'table2', scale: 'cpu', setting: 'cifar10-lt', loss: 'ce' } as const;

let folder: string;

beforeEach(async () => {
  folder = await pageFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The page as Markdown and as HTML. */
async function written(lines: readonly CellResult[], tuning: readonly unknown[] = []) {
  const results = join(folder, 'results');
  await writeResults(results, lines);
  await writeTuning(results, tuning);
  const { page, figures } = await writeReproductionPage({ results, folder: join(folder, 'docs') });
  const markdown = await readFile(join(folder, 'docs', 'reproduction.md'), 'utf8');
  return { markdown, html: await readFile(page, 'utf8'), figures };
}

/** One-hot and enhancement of the long tail, in per cent by seed. */
function longTail(oneHot: readonly number[], enhancement: readonly number[]): CellResult[] {
  return [
    ...oneHot.map((top1, seed) => resultLine({ ...LONG_TAIL_CE, method: 'one-hot', seed }, { top1: top1 / 100 })),
    ...enhancement.map((top1, seed) =>
      resultLine({ ...LONG_TAIL_CE, method: 'enhancement', seed }, { top1: top1 / 100 }),
    ),
  ];
}

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
      `**MNIST, long tail, CE, top-1:** Agrees: enhancement is 2.00 points ahead, which may be chance over 3 seeds (p = ${p}). ` +
        'Enhancement is 0.57 above the paper’s, one-hot 0.86 above the paper’s.',
    );
  });

  it('says so when enhancement is behind', async () => {
    const { markdown } = await written(longTail([90], [89.5]));
    expect(markdown).toContain('Disagrees: enhancement is 0.50 points behind, with one seed only.');
    expect(markdown).toMatch(/\*\*disagrees:\*\* Table 1.*ahead of one-hot/);
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
    expect(markdown).toContain('\nevenhand reproduce table1 --scale paper --only long-tail/ce\n');
    expect(markdown).toContain('| Table 3, scale “paper” | 60 |');
  });

  it('leaves out results of another configuration and says so', async () => {
    const [first, ...others] = longTail([89, 90, 91], []);
    const stale = first === undefined ? [] : [{ ...first, configHash: 'another' }];
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
    const results = join(folder, 'results');
    await writeResults(results, longTail([90, 90, 90, 90, 90], [91]));
    const diverged = others.map((cell) => `${JSON.stringify({ ...cell, diverged: 'the loss diverged' })}\n`).join('');
    await appendFile(join(results, 'table1.paper.jsonl'), diverged);
    expect(whole?.seed).toBe(0);
    await writeReproductionPage({ results, folder: join(folder, 'docs') });
    const markdown = await readFile(join(folder, 'docs', 'reproduction.md'), 'utf8');
    expect(markdown).toContain('| CE, enhancement | 1, 4 diverged | 91.00 |');
    expect(markdown).toContain('Diverged, and not in the means: 4 seeds of enhancement.');
    expect(markdown).toContain('| MNIST, long tail, CE | 10 |'); // the two ablations
  });

  it('refuses results of another table in a file', async () => {
    const results = join(folder, 'results');
    await mkdir(results, { recursive: true });
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
    expect(markdown).toContain('`evenhand reproduce table1 --scale paper --only long-tail/ce --subsets 5`');
  });
});

describe('statements', () => {
  /** The line of a statement. */
  async function statement(lines: readonly CellResult[], part: string): Promise<string | undefined> {
    return (await written(lines)).markdown.split('\n').find((line) => line.startsWith('- **') && line.includes(part));
  }

  /** A method on CIFAR-10-LT whose matrix has this in the first two and in the last five rows. */
  function confused(method: CellResult['method'], majority: number, minority: number): CellResult {
    const diagonal = Array.from({ length: 10 }, (_, p) => (p < 2 ? majority : p < 5 ? 0.7 : minority));
    return resultLine({ ...CIFAR_CE, method }, { softConfusion: softConfusion(diagonal) });
  }

  it('compares what the rarest classes lose to the largest', async () => {
    // What is missing on the diagonal of classes 8 and 9 goes to class 0.
    const lines = [confused('one-hot', 0.9, 0.4), confused('cost-sensitiveness', 0.9, 0.55)];
    expect(await statement(lines, 'CIFAR-10-LT, CE: with cost-sensitiveness')).toMatch(
      /^- \*\*agrees so far:\*\* .*: one-hot 60\.00, cost-sensitiveness 45\.00 \(1 seed\)\.$/,
    );
    const worse = [confused('one-hot', 0.9, 0.4), confused('cost-sensitiveness', 0.9, 0.3)];
    expect(await statement(worse, 'CIFAR-10-LT, CE: with cost-sensitiveness')).toMatch(/^- \*\*disagrees:/);
  });

  it.each([
    ['agrees so far', 0.88, 0.5, '−2.00', '+10.00'],
    ['partly', 0.7, 0.5, '−20.00', '+10.00'],
    ['disagrees', 0.95, 0.35, '+5.00', '−5.00'],
  ])(
    'weighs the change of the largest classes against the rarest: %s',
    async (verdict, majority, minority, lost, won) => {
      const lines = [confused('one-hot', 0.9, 0.4), confused('enhancement', majority, minority)];
      const found = await statement(lines, 'CIFAR-10-LT, CE: enhancement may cost');
      expect(found).toContain(`**${verdict}:**`);
      expect(found).toContain(`${lost} points in the two largest classes, ${won} in the five rarest (1 seed).`);
    },
  );

  it('agrees only so far where rows are missing', async () => {
    expect(await statement(longTail([89, 90], [91, 93]), 'Table 1, scale “paper”: with each')).toBe(
      '- **agrees so far:** Table 1, scale “paper”: with each of the losses, enhancement is ahead of one-hot (top-1). → ' +
        'Ahead in 1 of 1 row (5 others cannot be told yet), by +2.50 points (the paper: +0.17 to +2.29); p &lt; 0.05 in the t-test in 0.',
    );
  });

  it('calls a higher minority accuracy much higher beyond two deviations of one-hot', async () => {
    const cells = (method: 'one-hot' | 'enhancement', values: readonly number[]) =>
      values.map((minority, seed) => resultLine({ ...CIFAR_CE, method, seed }, { minority }));
    const claim = 'Table 2, scale “cpu”: the minority accuracy';
    const oneHot = cells('one-hot', [0.4, 0.42]); // SD 1.41 points
    expect(await statement([...oneHot, ...cells('enhancement', [0.45, 0.47])], claim)).toContain('**agrees so far:**');
    expect(await statement([...oneHot, ...cells('enhancement', [0.42, 0.44])], claim)).toContain('**partly:**');
    expect(await statement([...oneHot, ...cells('enhancement', [0.39, 0.41])], claim)).toContain('**disagrees:**');
  });

  it('counts how often the ablations are ahead of one-hot', async () => {
    const lines = [
      ...longTail([90], []),
      resultLine({ ...LONG_TAIL_CE, method: 're-weighting' }, { top1: 0.91 }),
      resultLine({ ...LONG_TAIL_CE, method: 'cost-sensitiveness' }, { top1: 0.89 }),
    ];
    expect(await statement(lines, 're-weighting alone')).toContain('**agrees so far:**');
    // Of the paper's 21 numbers, all but Caltech's top-5 with MSE and minority with CE. One of ours decides nothing.
    expect(await statement(lines, 'cost-sensitiveness alone')).toMatch(
      /^- \*\*undecided:.*in 0 of 1 comparisons, .* in the paper in 19 of 21\.$/,
    );
  });

  it('says nothing about the paper’s figures on account of other data', async () => {
    expect(await statement(longTail([90], [91]), 'MNIST, long tail, CE: enhancement may cost')).toBeUndefined();
  });

  it('compares over the seeds that both methods have', async () => {
    const claim = 'Table 1, scale “paper”: in every row';
    const lines = longTail([90, 94, 94], [91]);
    expect(await statement(lines, claim)).toContain('ahead of one-hot in 1 of 1');
  });

  it('has not agreed before all seeds of all rows are there', async () => {
    const claim = 'Table 2, scale “cpu”: with each of the losses, enhancement is ahead of one-hot (top-1)';
    const lines = (seeds: number) =>
      (['mse', 'ce', 'fl'] as const).flatMap((loss) =>
        Array.from({ length: seeds }, (_, seed) => seed).flatMap((seed) => [
          resultLine({ ...CIFAR_CE, loss, method: 'one-hot', seed }, { top1: 0.6 }),
          resultLine({ ...CIFAR_CE, loss, method: 'enhancement', seed }, { top1: 0.7 }),
        ]),
      );
    expect(await statement(lines(4), claim)).toContain('**agrees so far:**');
    expect(await statement(lines(5), claim)).toContain('**agrees:**');
  });

  it('sums the verdicts up at the top', async () => {
    // Of Table 1, ahead of one-hot so far, but not the best of the four; re-weighting is ahead, cost-sensitiveness is not.
    const { markdown } = await written([
      ...longTail([90], [91]),
      resultLine({ ...LONG_TAIL_CE, method: 're-weighting' }, { top1: 0.92 }),
      resultLine({ ...LONG_TAIL_CE, method: 'cost-sensitiveness' }, { top1: 0.89 }),
    ]);
    expect(markdown).toMatch(
      /Of \d+ statements of the paper’s about its results, 4 were measured: our numbers agree with 0, as far as they were run with another 2, in part with 0, and disagree with 1; 1 cannot be told yet\./,
    );
  });
});

describe('figures', () => {
  it('writes each as a file of its own and links to it', async () => {
    const { markdown, figures } = await written(longTail([90], [91]));
    const names = await readdir(join(folder, 'docs', 'figures'));
    expect(names.sort()).toEqual([
      'class-distribution-long-tail.svg',
      'soft-confusion-long-tail-paper-enhancement.svg',
      'soft-confusion-long-tail-paper-one-hot.svg',
    ]);
    expect(figures).toHaveLength(names.length);
    for (const name of names) expect(markdown).toContain(`](figures/${name})`);
  });

  it('shows the mean soft-confusion matrix over seeds', async () => {
    const lines = [0.6, 0.8].map((own, seed) =>
      resultLine(
        { ...LONG_TAIL_CE, method: 'one-hot', seed },
        { softConfusion: softConfusion(new Array<number>(10).fill(own)) },
      ),
    );
    await written(lines);
    const svg = await readFile(join(folder, 'docs', 'figures', 'soft-confusion-long-tail-paper-one-hot.svg'), 'utf8');
    expect(svg.match(/>70</g)).toHaveLength(10);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
  });

  it('tells which command makes what is not there', async () => {
    const { markdown } = await written(longTail([90], [91]));
    expect(markdown).toContain(
      'MNIST, long tail: the map needs the test outputs of one-hot and enhancement, which are in their run folders. ' +
        'The command that makes them: `evenhand reproduce table1 --scale paper --only long-tail/ce`.',
    );
    expect(markdown).toContain('MNIST, long tail lacks re-weighting, cost-sensitiveness.');
    expect(markdown).toContain('Not run, so without a figure: MNIST, 10 % of even classes; CIFAR-10-LT; Caltech 101.');
  });
});

describe('tuning', () => {
  const recipe = { learningRate: 0.01, weightDecay: 5e-4, batchSize: 128, epochs: 30 };
  const line = (method: object, draw: number, softAccuracy: number, others = {}) => ({
    ...{ setting: 'long-tail', loss: 'ce', method, recipe: { ...recipe, ...others }, draw },
    ...{ softAccuracy, accuracy: softAccuracy },
  });

  it('lists recipes from the best on, mean over draws', async () => {
    const { markdown } = await written(
      [],
      [
        line({ name: 'one-hot' }, 0, 0.8),
        line({ name: 'one-hot' }, 1, 0.82),
        line({ name: 'one-hot' }, 0, 0.9, { learningRate: 0.1 }),
      ],
    );
    const rows = markdown.split('\n').filter((row) => row.startsWith('| sgd'));
    expect(rows).toEqual([
      '| sgd 0.1 | 0.0005 | 128 | 30 | – | validation | 1 | 90.00 | 90.00 |  |',
      '| sgd 0.01 | 0.0005 | 128 | 30 | – | validation | 2 | 81.00 ± 1.41 | 81.00 ± 1.41 |  |',
    ]);
    expect(markdown).toContain('3 tuning runs.');
  });

  it('keeps apart what was measured on held-out images and on validation images, with moved images and without', async () => {
    const oneHot = { setting: 'long-tail', loss: 'ce', method: { name: 'one-hot' } };
    const { markdown } = await written(
      [],
      [
        { ...oneHot, recipe, images: 'held-out', draw: 0, accuracy: 0.95 },
        { ...oneHot, recipe, images: 'held-out', draw: 1, accuracy: 0.97 },
        line({ name: 'one-hot' }, 0, 0.8),
        line({ name: 'one-hot' }, 0, 0.9, { padding: 2 }),
      ],
    );
    const rows = markdown.split('\n').filter((row) => row.startsWith('| sgd'));
    expect(rows).toEqual([
      '| sgd 0.01 | 0.0005 | 128 | 30 | 2 px | validation | 1 | 90.00 | 90.00 |  |',
      '| sgd 0.01 | 0.0005 | 128 | 30 | – | validation | 1 | 80.00 | 80.00 |  |',
      '| sgd 0.01 | 0.0005 | 128 | 30 | – | held-out | 2 | – | 96.00 ± 1.41 |  |',
    ]);
  });

  it('draws soft accuracy over ε and μ, mean over draws, with what is used framed', async () => {
    const cells = longTail([], [91]);
    const config = cells[0]?.config ?? expect.unreachable();
    const { method } = config;
    const inTheTables = recipeIn(config);
    const { markdown } = await written(cells, [
      line({ name: 'one-hot' }, 0, 0.7, inTheTables),
      line(method, 0, 0.8, inTheTables),
      line(method, 1, 0.9, inTheTables),
      line({ ...method, enhancementRate: 100 }, 0, 0.6, inTheTables),
      // Another recipe: its map has no frame.
      line(method, 0, 0.8),
      line({ ...method, enhancementRate: 100 }, 0, 0.6),
    ]);
    const other = await readFile(join(folder, 'docs', 'figures', 'tuning-long-tail-ce-2.svg'), 'utf8');
    expect(other).not.toMatch(/var\(--series-1\)[^<]*<rect/);
    const svg = await readFile(join(folder, 'docs', 'figures', 'tuning-long-tail-ce.svg'), 'utf8');
    expect(svg).toContain('>85.0<');
    expect(svg).toContain('>60.0<');
    expect(svg.match(/var\(--series-1\)[^<]*<rect/g)).toHaveLength(1);
    expect(markdown).toContain('mean over 1–2 draws');
    expect(markdown).toContain('One-hot with this recipe: 70.00 (1 draw). The frame marks what the tables use.');
  });

  it('refuses a line that is none, by its number', async () => {
    const lines = [line({ name: 'one-hot' }, 0, 0.8), line({ name: 'one-hot' }, 0, 80)];
    await expect(written([], lines)).rejects.toThrow(
      /a\.jsonl: line 2 is not the result of a tuning run: accuracy is 80/,
    );
  });
});

describe('as a whole', () => {
  it('is written of nothing', async () => {
    const { page } = await writeReproductionPage({ results: join(folder, 'none'), folder: join(folder, 'docs') });
    expect(await readFile(page, 'utf8')).toContain('Nothing has been run yet with the present recipes.');
  });

  it('says the same in HTML and in Markdown', async () => {
    const { html, markdown } = await written(longTail([89, 90], [91, 93]));
    const headings = [...html.matchAll(/<h[23]>([^<]*)<\/h[23]>/g)].map(([, text]) => text);
    expect(headings).toEqual([...markdown.matchAll(/^###? (.*)$/gm)].map(([, text]) => text));
    expect(html.match(/<tr>/g)).toHaveLength(markdown.match(/^\|(?! :--)/gm)?.length ?? 0);
  });

  it('gives the same bytes for the same results', async () => {
    const lines = longTail([89, 90], [91, 93]);
    expect(await written(lines)).toEqual(await written(lines));
  });

  it('tells machine and versions', async () => {
    const { markdown } = await written(longTail([90], []));
    expect(markdown).toContain(
      '1 run, on Test CPU, 1 thread a run; evenhand 0.1.0, ONNX Runtime 1.30.0, Node 20.20.2.',
    );
  });

  it('fault 32: hostile text is shown as text', async () => {
    const [line] = longTail([90], []);
    if (line === undefined) throw new Error('no line');
    const cpu = '<img src=x onerror=alert(1)> | `code` [link](x)';
    const { html, markdown } = await written([{ ...line, environment: { ...line.environment, cpu } }]);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x');
    expect(markdown).toContain('&lt;img src=x onerror=alert(1)> \\| \\`code\\` \\[link\\](x)');
  });

  it('refuses a damaged line of results, by its file and number', async () => {
    const results = join(folder, 'results');
    await mkdir(results);
    await writeFile(join(results, 'table2.cpu.jsonl'), '{"table":"table2"}\n');
    const made = writeReproductionPage({ results, folder: join(folder, 'docs') });
    await expect(made).rejects.toThrow(/table2\.cpu\.jsonl: line 1 is not a result/);
    expect(await readdir(folder)).not.toContain('docs');
  });
});
