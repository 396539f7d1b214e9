import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { choosingPage } from '../src/choosing/page.js';
import { withBlock } from '../src/documents/written-block.js';
import { BUDGET_ROWS } from '../src/equal-budget/rows.js';
import { readRunLines } from '../src/equal-budget/run-lines.js';
import { BUDGET_BLOCK, budgetSection } from '../src/equal-budget/section.js';
import { readStory, STORIES, storyBlock, storySection } from '../src/gallery/stories.js';
import { readResults } from '../src/page/results.js';
import { SUMMARY_BLOCK, summaryMarkdown } from '../src/page/summary.js';
import { LADDER, METHODS } from '../src/seven-tables/ablation.js';
import { ABLATION_BLOCK, ablationSection } from '../src/seven-tables/ablation-section.js';
import { readFoldResults } from '../src/seven-tables/fold-results.js';
import { RATES_BLOCK, ratesSection } from '../src/seven-tables/rates-section.js';
import { TABLES_BLOCK, tablesSummary } from '../src/seven-tables/summary.js';
import { LEARNERS } from '../src/streams/learners.js';
import { STREAMS_BLOCK, streamsSection } from '../src/streams/section.js';
import { readStreamLines } from '../src/streams/stream-lines.js';
import { type LossName, type MetricName, type PaperMethod, paperNumber, TABLES } from '../src/tables/tables.js';
import { writtenOf } from './page/written-page.js';
import { temporaryFolder } from './temporary-folder.js';

// The numbers in README.md, docs and results/README.md, computed again from the lines in results: by means, deviations and
// t-distributions of this file, not by those that the pages are written with.

const repository = fileURLToPath(new URL('../../../', import.meta.url));

const lineSchema = z.object({
  setting: z.string().default('even'),
  loss: z.string(),
  learningRate: z.number().optional(),
  method: z.string(),
  seed: z.int(),
  subset: z.int().default(0),
  top1: z.number(),
  top5: z.number().optional(),
  minority: z.number().nullish(),
  recall: z.array(z.number()),
  trainingCounts: z.array(z.int()).default([]),
});
type Line = z.output<typeof lineSchema>;

const foldLineSchema = z.object({
  learner: z.string(),
  table: z.string(),
  balancedAccuracy: z.number(),
  logLoss: z.number(),
});

async function linesOf<Parsed>(file: string, schema: z.ZodType<Parsed>): Promise<Parsed[]> {
  const text = await readFile(join(repository, 'results', file), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));
}

const read = (path: string) => readFile(join(repository, path), 'utf8');

/** The tables of a page: rows of cells, without the bold, by the first cell. */
function tablesOf(markdown: string): ReadonlyMap<string, readonly string[]>[] {
  return markdown
    .split('\n\n')
    .filter((block) => block.startsWith('|'))
    .map(
      (block) =>
        new Map(
          block
            .trim()
            .split('\n')
            .filter((line) => !/^\|[ :|-]+$/.test(line))
            .map((line): [string, readonly string[]] => {
              const [first = '', ...cells] = line
                .slice(1, -1)
                .split('|')
                .map((cell) => cell.replaceAll('**', '').trim());
              return [first, cells];
            }),
        ),
    );
}

/** All numbers in something, in their order. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(numbersIn) : [];
}

/** The table that has such a row. */
function tableWith(markdown: string, row: string): ReadonlyMap<string, readonly string[]> {
  const found = tablesOf(markdown).find((table) => table.has(row));
  if (found === undefined) throw new Error(`no table has a row "${row}"`);
  return found;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1));
const percent = (value: number, digits = 1) => (100 * value).toFixed(digits);
const spread = (values: readonly number[], digits: number) =>
  `${percent(mean(values), digits)} ± ${percent(deviation(values), digits)}`;

/** p of the paired t-test, by the closed forms of Student's distribution with 1 to 4 degrees of freedom. */
function pairedP(before: readonly number[], after: readonly number[]): number {
  const differences = after.map((value, i) => value - (before[i] ?? Number.NaN));
  const count = differences.length;
  const t = mean(differences) / (deviation(differences) / Math.sqrt(count));
  const angle = Math.atan(Math.abs(t) / Math.sqrt(count - 1));
  if (count === 2) return 1 - (2 * angle) / Math.PI;
  if (count === 3) return 1 - Math.sin(angle);
  if (count === 4) return 1 - (2 / Math.PI) * (angle + Math.sin(angle) * Math.cos(angle));
  if (count === 5) return 1 - Math.sin(angle) * (1 + Math.cos(angle) ** 2 / 2);
  throw new Error(`${count} pairs`);
}

interface Selection {
  readonly setting: string;
  readonly loss: string;
  readonly method: string;
  readonly learningRate?: number;
}

/** A metric of the runs of a row, by seed; of the draw of images that the tables are about. */
function valuesOf(lines: readonly Line[], selection: Selection, metric: 'top1' | 'minority' = 'top1'): number[] {
  return lines
    .filter(
      ({ setting, loss, method, subset, learningRate }) =>
        subset === 0 &&
        setting === selection.setting &&
        loss === selection.loss &&
        method === selection.method &&
        (selection.learningRate === undefined || learningRate === selection.learningRate),
    )
    .sort((a, b) => a.seed - b.seed)
    .map((line) => line[metric] ?? Number.NaN);
}

const paper = (
  table: keyof typeof TABLES,
  setting: string,
  loss: LossName,
  metric: MetricName,
  method: PaperMethod,
) => {
  const found = TABLES[table].settings.find(({ name }) => name === setting);
  if (found === undefined) throw new Error(`the paper has no ${setting}`);
  return paperNumber({ setting: found, loss }, method, metric)?.mean ?? Number.NaN;
};

describe('docs/results.md', () => {
  it('has the numbers of the demonstration from the first seed of the runs with images as they are', async () => {
    const results = await read('docs/results.md');
    const lines = (await linesOf('unmoved/table1.paper.jsonl', lineSchema)).filter(
      ({ setting, loss, seed }) => setting === 'long-tail' && loss === 'ce' && seed === 0,
    );
    const [oneHot, enhanced] = ['one-hot', 'enhancement'].map((method) => lines.find((line) => line.method === method));
    if (oneHot === undefined || enhanced === undefined) throw new Error('the runs are gone');
    const table = tableWith(results, 'top-1 accuracy');
    const both = (value: (line: Line) => number) => [percent(value(oneHot)), percent(value(enhanced))];
    const counts = oneHot.trainingCounts.map((count) => count.toLocaleString('en-US'));
    // MNIST's test images of the digits 5 to 9.
    const images = [892, 958, 1028, 974, 1009];
    const rarest = ({ recall }: Line) =>
      images.reduce((sum, count, i) => sum + count * (recall[5 + i] ?? Number.NaN), 0) / images.reduce((a, b) => a + b);
    const at = (digit: number) => (line: Line) => line.recall[digit] ?? Number.NaN;
    expect([...table].slice(1)).toEqual([
      [`recall of 9, the rarest digit: ${counts[9]} images to train on`, both(at(9))],
      [`recall of 8, the second rarest: ${counts[8]} images`, both(at(8))],
      [`recall of 0, the commonest: ${counts[0]} images`, both(at(0))],
      ['accuracy of the 5 rarest digits', both(rarest)],
      ['top-1 accuracy', both(({ top1 }) => top1)],
    ]);
    const all = oneHot.trainingCounts.reduce((a, b) => a + b);
    expect(results).toContain(`the same ${all.toLocaleString('en-US')} images`);
  });

  it('has the summary that the stored results give, and docs/reproduction.md has the same', async () => {
    const summary = summaryMarkdown(await readResults(join(repository, 'results')));
    const results = await read('docs/results.md');
    expect(withBlock(results, SUMMARY_BLOCK, summary)).toBe(results);
    expect(await read('docs/reproduction.md')).toContain(`## In two minutes\n\n${summary}\n\n`);
  });

  it('has means, differences, corrected p and the numbers of the paper from the lines', async () => {
    const table = tableWith(await read('docs/results.md'), 'cross-entropy, %');
    const expected = new Map<string, string[]>();
    for (const [name, file, half] of SUMMARISED) {
      const lines = await linesOf(file, lineSchema).catch(() => []);
      const { settings, metrics, losses } = TABLES[name];
      const cases = settings.flatMap(({ name: setting, title }) =>
        losses.flatMap((loss) =>
          metrics.flatMap((metric) => {
            const [before, after] = pairsOf(lines, { setting, loss }, metric);
            return before.length === 0 ? [] : [{ setting, title, loss, metric, before, after }];
          }),
        ),
      );
      // One pair has no p, and does not count.
      const corrected = holm(
        cases.map(({ before, after }) => (before.length === 1 ? Number.NaN : pairedP(before, after))),
      );
      for (const [i, { setting, title, loss, metric, before, after }] of cases.entries()) {
        if (loss !== 'ce' || metric === 'top5') continue;
        const found = (method: PaperMethod) => paper(name, setting, loss, metric, method).toFixed(2);
        expected.set(metric === 'top1' ? `${title}, top-1` : half, [
          ...[String(before.length), percent(mean(before), 2), percent(mean(after), 2)],
          ...[(100 * (mean(after) - mean(before))).toFixed(1), pText(corrected[i] ?? Number.NaN)],
          `${found('one-hot')} → ${found('enhancement')}`,
        ]);
      }
    }
    const shown = [...table]
      .slice(1)
      .map(([title, [seeds, before, after, difference, p, , found]]): [string, string[]] => [
        title,
        [
          ...[seeds ?? '', before ?? '', after ?? ''],
          Number(difference?.split(' ')[0]?.replace('−', '-')).toFixed(1),
          p ?? '',
          found ?? '',
        ],
      ]);
    expect(shown.map(([title]) => title)).toEqual([...expected.keys()]);
    for (const [title, cells] of shown) {
      const [difference, ...own] = inOrder(expected.get(title));
      const [shownDifference, ...others] = inOrder(cells);
      expect(others, title).toEqual(own);
      expect(Number(shownDifference), title).toBeCloseTo(Number(difference), 0);
    }
  });
});

/** What the summary is about: tables, their lines, and what it calls their rarer classes. */
const SUMMARISED = [
  ['table1', 'table1.paper.jsonl', ''],
  ['table2', 'table2.cpu.jsonl', 'CIFAR-10-LT, its rarer half of the classes'],
  ['table3', 'table3.cpu.jsonl', 'Caltech 101, its rarer half of the classes'],
] as const;

/** One-hot and enhancement by the seeds that both have. */
function pairsOf(
  lines: readonly Line[],
  { setting, loss }: Pick<Selection, 'setting' | 'loss'>,
  metric: MetricName,
): [number[], number[]] {
  const own = lines.filter((line) => line.setting === setting && line.loss === loss && line.subset === 0);
  const of = (method: string) =>
    new Map(own.filter((line) => line.method === method).map((line) => [line.seed, line[metric] ?? Number.NaN]));
  const [before, after] = [of('one-hot'), of('enhancement')];
  const seeds = [...before.keys()].filter((seed) => after.has(seed)).sort();
  return [seeds.map((seed) => before.get(seed) ?? Number.NaN), seeds.map((seed) => after.get(seed) ?? Number.NaN)];
}

/** With the difference first, which is not compared as text. */
function inOrder([seeds = '', before = '', after = '', difference = '', ...rest]: readonly string[] = []): string[] {
  return [difference, seeds, before, after, ...rest];
}

function pText(p: number): string {
  if (Number.isNaN(p)) return '–';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/** Holm's correction: the i-th smallest of m, from 0, times m − i; none below one before it. */
function holm(values: readonly number[]): number[] {
  const order = values
    .map((_, i) => i)
    .filter((i) => !Number.isNaN(values[i]))
    .sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const corrected: number[] = [];
  let highest = 0;
  for (const [rank, i] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (values[i] ?? 1) * (order.length - rank)));
    corrected[i] = highest;
  }
  return corrected;
}

describe('docs', () => {
  it('tables.md: means over the tables are those of the lines', async () => {
    const lines = (
      await Promise.all(['evenhand', 'peers'].map((name) => linesOf(`tables/${name}.jsonl`, foldLineSchema)))
    ).flat();
    const page = await read('docs/tables.md');
    // Every table has ten folds, so that the mean of the tables' means is the mean of all folds.
    const [means, tables] = ['mean (mean rank)', 'balanced accuracy, %'].map((header) =>
      tablesOf(page).find((table) => [...table.keys()][0] === header),
    );
    const namesOf = (key: 'learner' | 'table') => [...new Set(lines.map((line) => line[key]))].sort();
    const of = (name: string) => lines.filter(({ learner }) => learner === name);
    const complete = namesOf('learner').filter((learner) => of(learner).length === 70);
    expect([...(means?.keys() ?? [])].slice(1).sort()).toEqual(complete);
    const score = (own: readonly z.output<typeof foldLineSchema>[]) =>
      percent(mean(own.map(({ balancedAccuracy }) => balancedAccuracy)));
    for (const learner of complete) {
      const own = of(learner);
      const [balancedAccuracy, , , , logLoss] = means?.get(learner) ?? [];
      expect(balancedAccuracy?.split(' ')[0], learner).toBe(score(own));
      expect(logLoss?.split(' ')[0], learner).toBe(mean(own.map((line) => line.logLoss)).toFixed(3));
      expect(tables?.get(learner), learner).toEqual([
        ...namesOf('table').map((table) => score(own.filter((line) => line.table === table))),
        score(own),
      ]);
    }
  });

  it('README.md: the seven tables are those of the page', async () => {
    const [readme, page] = [await read('README.md'), await read('docs/tables.md')];
    const lines = await Promise.all(
      ['evenhand', 'peers'].map((name) => readFoldResults(join(repository, 'results', 'tables', `${name}.jsonl`))),
    );
    expect(withBlock(readme, TABLES_BLOCK, tablesSummary(lines.flat()))).toBe(readme);
    const means = tableWith(page, 'mean (mean rank)');
    const shown = tableWith(readme, 'mean over seven tables');
    const learners = shown.get('mean over seven tables') ?? [];
    expect(learners).toContain('evenhand');
    for (const metric of ['balanced accuracy, %', 'macro average precision, %', 'log-loss', 'seconds']) {
      const column = means.get('mean (mean rank)')?.indexOf(metric) ?? -1;
      const expected = learners.map((learner) => means.get(learner)?.[column]?.split(' ')[0]);
      expect([metric, ...(shown.get(metric) ?? [])]).toEqual([metric, ...expected]);
    }
    const rows = [...tableWith(page, 'table')].slice(1).map(([, [count]]) => Number(count));
    const [least, most] = [Math.min(...rows), Math.max(...rows)].map((count) => count.toLocaleString('en-US'));
    expect(readme).toContain(`imbalanced tables of ${least} to ${most} rows`);
  });

  it('README.md: tables that are won, and the one that is lost by most, are those of the page', async () => {
    const table = tableWith(await read('docs/tables.md'), 'balanced accuracy, %');
    const numbers = (learner: string) => table.get(learner)?.slice(0, -1).map(Number) ?? [];
    const peers = [...table.keys()].filter((name) => !['evenhand', 'balanced accuracy, %'].includes(name));
    const behind = numbers('evenhand').map((own, i) => Math.max(...peers.map((peer) => numbers(peer)[i] ?? 0)) - own);
    const worst = Math.max(...behind);
    const where = table.get('balanced accuracy, %')?.[behind.indexOf(worst)];
    const readme = await read('README.md');
    expect(readme).toContain(`compared with ${peers.length} other learners`);
    expect(readme).toContain(`on ${behind.filter((points) => points <= 0).length} of the ${behind.length};`);
    const [, points] =
      new RegExp(`on ${where}, its worst, it is ([0-9.]+) percentage points behind`).exec(readme) ?? [];
    // The page's numbers are rounded.
    expect(Math.abs(Number(points) - worst)).toBeLessThan(0.11);
  });

  it('results.md: the default is first in mean balanced accuracy and log-loss, and last in time', async () => {
    expect(await read('docs/results.md')).toContain(
      'the best mean balanced accuracy and the lowest log-loss of all learners compared. The price is time: it is by far the slowest.',
    );
    const means = tableWith(await read('docs/tables.md'), 'mean (mean rank)');
    const ordered = (metric: string) => {
      const column = means.get('mean (mean rank)')?.indexOf(metric) ?? -1;
      const values = [...means]
        .slice(1)
        .map(([name, cells]) => ({ name, value: Number.parseFloat(cells[column] ?? '') }));
      return values.sort((a, b) => a.value - b.value).map(({ name }) => name);
    };
    expect(ordered('balanced accuracy, %').at(-1)).toBe('evenhand');
    expect(ordered('log-loss')[0]).toBe('evenhand');
    expect(ordered('seconds').at(-1)).toBe('evenhand');
  });

  it('streams.md: the comparison is what the stored results give', async () => {
    const lines = await readStreamLines(join(repository, 'results', 'streams', 'streams.jsonl'));
    const page = await read('docs/streams.md');
    expect(withBlock(page, STREAMS_BLOCK, streamsSection(lines).text)).toBe(page);
    // The means of all streams once more, from the lines.
    const table = tablesOf(page).find((some) => some.get('')?.[0] === 'steady');
    for (const learner of LEARNERS) {
      const own = lines.filter((line) => line.learner === learner).map(({ gMean }) => 100 * gMean);
      if (own.length === 0) continue;
      const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
      expect([learner, table?.get(learner)?.at(-1)]).toEqual([learner, mean.toFixed(1)]);
    }
  });

  it.each(STORIES)('gallery.md: the output of %s is what the stored results give', async (story) => {
    const result = await readStory(join(repository, 'results', 'gallery'), story);
    const page = await read('docs/gallery.md');
    expect(withBlock(page, storyBlock(story), storySection(result))).toBe(page);
    // The shares once more, from the numbers behind the lines; what is larger counts rows.
    const shares = numbersIn(result.numbers).filter((value) => value <= 1);
    expect(shares.length).toBeGreaterThan(1);
    expect(result.printed.join('\n').match(/[0-9.]+(?= %)/g)).toEqual(shares.map((value) => percent(value)));
  });

  it('gallery.md: sentences have the numbers of the stored results', async () => {
    const page = await read('docs/gallery.md');
    const numbers = async (story: (typeof STORIES)[number]) =>
      (await readStory(join(repository, 'results', 'gallery'), story)).numbers;
    const { precise } = z
      .object({ precise: z.object({ precision: z.number(), testCalcifications: z.int() }) })
      .parse(await numbers('mammography'));
    expect(page).toMatch(new RegExp(`precision of 75 % and has ${percent(precise.precision, 0)} % here`));
    expect(page).toContain(`tested on ${precise.testCalcifications}`);
    const { testRows } = z.object({ testRows: z.int() }).parse(await numbers('tensorflow'));
    expect(page).toContain(`With ${testRows} test rows`);
  });

  it('method.md: the comparison on an equal budget is what the stored results give', async () => {
    const lines = await readRunLines(join(repository, 'results', 'budget', 'mnist.jsonl'));
    const page = await read('docs/method.md');
    expect(withBlock(page, BUDGET_BLOCK, budgetSection(lines))).toBe(page);
    // The same means and differences once more, from the lines. A later line of a run is the one that counts.
    const runs = new Map(
      lines.flatMap((line) => ('test' in line ? [[`${line.row} ${line.draw} ${line.seed}`, line] as const] : [])),
    );
    const [table] = tablesOf(page).filter((some) => some.get('trained with')?.[0] === 'runs');
    expect(table === undefined).toBe(runs.size === 0);
    for (const { name, title } of BUDGET_ROWS) {
      const cells = table?.get(title);
      if (cells === undefined) continue;
      const own = [...runs.values()].filter(({ row }) => row === name);
      const rarest = own.map(({ test }) => mean(test.recall.slice(7)));
      const spreads = [own.map(({ test }) => test.top1), rarest, own.map(({ reserved }) => reserved.top1)];
      if (own.length > 1) expect(cells.slice(1, 4), title).toEqual(spreads.map((values) => spread(values, 2)));
      const pairs = own.flatMap(({ draw, seed, test }) => {
        const other = runs.get(`logit-adjustment ${draw} ${seed}`);
        return other === undefined || name === 'logit-adjustment' ? [] : [100 * (test.top1 - other.test.top1)];
      });
      if (pairs.length === 0) continue;
      expect(Number(cells[4]?.split(' ')[0]?.replace('−', '-')), title).toBeCloseTo(mean(pairs), 1);
    }
  });

  it('learner.md: what each part brings is what the stored results give', async () => {
    const lines = await readFoldResults(join(repository, 'results', 'tables', 'tuning.jsonl'));
    const page = await read('docs/learner.md');
    expect(withBlock(page, ABLATION_BLOCK, ablationSection(lines))).toBe(page);
    // Every table has two folds, so that the mean of the tables' means is the mean of all folds.
    for (const [learners, first] of [
      [LADDER, 'step'],
      [METHODS, 'method'],
    ] as const) {
      const table = tablesOf(page).find((some) => some.get(first)?.[0] === 'balanced accuracy, %');
      for (const { name, title } of learners) {
        const cells = table?.get(title);
        if (cells === undefined) continue;
        const own = lines.filter(({ learner }) => learner === name);
        expect(own, name).toHaveLength(42);
        expect(cells[0], name).toBe(percent(mean(own.map(({ balancedAccuracy }) => balancedAccuracy))));
        expect(cells[5]?.split(' ')[0], name).toBe(mean(own.map(({ logLoss }) => logLoss)).toFixed(3));
      }
    }
  });

  it('rates.md: what automatic rates are worth on tables is what the stored results give', async () => {
    const lines = await readFoldResults(join(repository, 'results', 'tables', 'rates.jsonl'));
    const page = await read('docs/rates.md');
    expect(withBlock(page, RATES_BLOCK, ratesSection(lines))).toBe(page);
  });

  it('choosing.md: every number is what the stored results give', async () => {
    const folds = await readFoldResults(join(repository, 'results', 'tables', 'methods.jsonl'));
    const runs = await readRunLines(join(repository, 'results', 'budget', 'mnist.jsonl'));
    expect(await read('docs/choosing.md')).toBe(choosingPage(folds, runs));
  });

  it('reproduction.md: every table is what the stored results give', async () => {
    const { markdown } = await writtenOf(join(repository, 'results'), await temporaryFolder());
    const rows = (page: string) => page.split('\n').filter((line) => line.startsWith('|'));
    const stored = rows(await read('docs/reproduction.md'));
    expect(stored.length).toBeGreaterThan(100);
    expect(rows(markdown)).toEqual(stored);
  });

  it('reproduction.md: means, deviations and gains of Table 1 are those of the lines', async () => {
    const lines = await linesOf('table1.paper.jsonl', lineSchema);
    const page = await read('docs/reproduction.md');
    const settings = { even: 'MNIST, 10 % of even classes', 'long-tail': 'MNIST, long tail' };
    const scores = tablesOf(page).filter((table) => table.get('loss, method')?.[1] === 'top-1, ours');
    for (const [i, [setting, title]] of Object.entries(settings).entries()) {
      for (const loss of ['mse', 'ce', 'fl'] as const) {
        for (const method of ['one-hot', 're-weighting', 'cost-sensitiveness', 'enhancement'] as const) {
          const values = valuesOf(lines, { setting, loss, method });
          const row = scores[i]?.get(`${loss.toUpperCase()}, ${method}`);
          expect([row?.[0]?.replace('†', ''), row?.[1]]).toEqual([`${values.length}`, spread(values, 2)]);
          expect(Number(row?.[2]?.split(' ')[0])).toBe(paper('table1', setting, loss, 'top1', method));
        }
        const [before, after] = ['one-hot', 'enhancement'].map((method) => valuesOf(lines, { setting, loss, method }));
        const table = tablesOf(page).find((some) => some.get(`${title}, ${loss.toUpperCase()}`)?.[0] === 'top-1');
        const gain = table?.get(`${title}, ${loss.toUpperCase()}`);
        expect(Number(gain?.[1]?.split(' ')[0]?.replace('−', '-'))).toBeCloseTo(
          100 * (mean(after ?? []) - mean(before ?? [])),
          2,
        );
        expect(gain?.[4]).toBe(pairedP(before ?? [], after ?? []).toFixed(3));
      }
    }
  });
});

describe('results/README.md', () => {
  it('has the rows of images as they are', async () => {
    const lines = await linesOf('unmoved/table1.paper.jsonl', lineSchema);
    const table = tableWith(await read('results/README.md'), 'MSE');
    for (const loss of ['mse', 'ce', 'fl']) {
      expect(table.get(loss.toUpperCase())).toEqual(
        ['one-hot', 're-weighting', 'cost-sensitiveness', 'enhancement'].map((method) =>
          spread(valuesOf(lines, { setting: 'long-tail', loss, method }), 2),
        ),
      );
    }
  });

  it('has the rows of small learning rates', async () => {
    const lines = await linesOf('small-rates/table1.jsonl', lineSchema);
    const page = await read('results/README.md');
    for (const [title, loss] of [
      ['CE', 'cross-entropy'],
      ['FL', 'focal'],
    ] as const) {
      for (const learningRate of [0.003, 0.01]) {
        const [before = [], after = []] = ['one-hot', 'enhancement'].map((method) =>
          valuesOf(lines, { setting: 'even', loss, method, learningRate }),
        );
        const p = pairedP(before, after);
        expect(page).toContain(
          `| ${title} | ${learningRate} | ${spread(before, 2)} | ${spread(after, 2)} | ${p.toFixed(p < 0.01 ? 3 : 2)} |`,
        );
      }
    }
  });
});
