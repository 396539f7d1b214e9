import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withBlock } from '../src/documents/written-block.js';
import { BUDGET_ROWS } from '../src/equal-budget/rows.js';
import { readRunLines } from '../src/equal-budget/run-lines.js';
import { BUDGET_BLOCK, budgetSection } from '../src/equal-budget/section.js';
import { LADDER, METHODS } from '../src/seven-tables/ablation.js';
import { ABLATION_BLOCK, ablationSection } from '../src/seven-tables/ablation-section.js';
import { readFoldResults } from '../src/seven-tables/fold-results.js';
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

/** p of the paired t-test, by the closed forms of Student's distribution with 2 and with 4 degrees of freedom. */
function pairedP(before: readonly number[], after: readonly number[]): number {
  const differences = after.map((value, i) => value - (before[i] ?? Number.NaN));
  const count = differences.length;
  const t = mean(differences) / (deviation(differences) / Math.sqrt(count));
  const angle = Math.atan(Math.abs(t) / Math.sqrt(count - 1));
  if (count === 3) return 1 - Math.sin(angle);
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

describe('README.md', () => {
  it('has the numbers of the demonstration from the first seed of the runs with images as they are', async () => {
    const readme = await read('README.md');
    const lines = (await linesOf('unmoved/table1.paper.jsonl', lineSchema)).filter(
      ({ setting, loss, seed }) => setting === 'long-tail' && loss === 'ce' && seed === 0,
    );
    const [oneHot, enhanced] = ['one-hot', 'enhancement'].map((method) => lines.find((line) => line.method === method));
    if (oneHot === undefined || enhanced === undefined) throw new Error('the runs are gone');
    const table = tableWith(readme, 'top-1 accuracy');
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
    expect(readme).toContain(`the same ${all.toLocaleString('en-US')} images`);
  });

  it('has the means over seeds, p and what the paper found', async () => {
    const table = tableWith(await read('README.md'), 'long tail, as above');
    const rows = [
      ['long tail, as above', 'unmoved/table1.paper.jsonl', 'table1', 'long-tail', 'top1', 3],
      ['long tail, random shifts of up to 2 pixels', 'table1.paper.jsonl', null, 'long-tail', 'top1', 2],
      ['a tenth of the even digits, random shifts', 'table1.paper.jsonl', 'table1', 'even', 'top1', 2],
      ['long-tailed CIFAR-10, ResNet-32, 12 epochs only', 'table2.cpu.jsonl', 'table2', 'cifar10-lt', 'top1', 2],
      ['its five rarest classes', 'table2.cpu.jsonl', 'table2', 'cifar10-lt', 'minority', 2],
      ['Caltech 101 at 32 pixels, ResNet-34, 12 epochs only', 'table3.cpu.jsonl', 'table3', 'caltech101', 'top1', 2],
      ['its fifty rarest classes', 'table3.cpu.jsonl', 'table3', 'caltech101', 'minority', 2],
    ] as const;
    const expected = await Promise.all(
      rows.map(async ([title, file, paperTable, setting, metric, digits]): Promise<[string, string[]]> => {
        const lines = await linesOf(file, lineSchema);
        const before = valuesOf(lines, { setting, loss: 'ce', method: 'one-hot' }, metric);
        const after = valuesOf(lines, { setting, loss: 'ce', method: 'enhancement' }, metric);
        expect([before.length, after.length]).toEqual(setting === 'even' || setting === 'long-tail' ? [5, 5] : [3, 3]);
        const found = (method: PaperMethod) =>
          paperTable === null ? '' : paper(paperTable, setting, 'ce', metric, method).toFixed(1);
        return [
          title,
          [
            percent(mean(before)),
            percent(mean(after)),
            pairedP(before, after).toFixed(digits),
            paperTable === null ? '' : `${found('one-hot')} → ${found('enhancement')}`,
          ],
        ];
      }),
    );
    expect([...table].slice(1)).toEqual(expected);
  });
});

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
    const means = tableWith(page, 'mean (mean rank)');
    const shown = tableWith(readme, 'mean over seven tables');
    const learners = shown.get('mean over seven tables') ?? [];
    expect(learners).toContain('evenhand');
    for (const metric of ['balanced accuracy, %', 'macro average precision, %', 'log-loss']) {
      const column = means.get('mean (mean rank)')?.indexOf(metric) ?? -1;
      const expected = learners.map((learner) => means.get(learner)?.[column]?.split(' ')[0]);
      expect([metric, ...(shown.get(metric) ?? [])]).toEqual([metric, ...expected]);
    }
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
          expect(row?.slice(0, 2)).toEqual([`${values.length}`, spread(values, 2)]);
          expect(Number(row?.[2]?.split(' ')[0])).toBe(paper('table1', setting, loss, 'top1', method));
        }
        const [before, after] = ['one-hot', 'enhancement'].map((method) => valuesOf(lines, { setting, loss, method }));
        const table = tablesOf(page).find((some) => some.get(`${title}, ${loss.toUpperCase()}`)?.[0] === 'top-1');
        const gain = table?.get(`${title}, ${loss.toUpperCase()}`);
        expect(Number(gain?.[1]?.replace('−', '-'))).toBeCloseTo(100 * (mean(after ?? []) - mean(before ?? [])), 2);
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
