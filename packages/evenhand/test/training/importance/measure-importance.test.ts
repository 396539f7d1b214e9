import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Random, seededRandom } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import { type ConfigInput, openModel, openRun, resume, train } from '../../../src/index.js';
import type { ImportanceReport } from '../../../src/runs/importance-file.js';
import { temporaryFolder } from '../../runs/examples.js';
import { predictionsOf, tableConfig, writeTable } from '../problem.js';

async function importanceOf(run: string): Promise<ImportanceReport> {
  const report = await (await openRun(run)).importance();
  if (report === undefined) throw new Error('no importance was measured');
  return report;
}

const named = ({ columns }: ImportanceReport, name: string) => {
  const found = columns.find((column) => column.name === name);
  if (found === undefined) throw new Error(`no column ${name}`);
  return found;
};

/** Numbers with mean 0 and variance 1. */
const bellShaped = (random: Random) => () => 2 * (random() + random() + random() - 1.5);

/** Rows whose class one number alone decides, beside a date, a category and numbers that have nothing to do with it. */
async function writeDecidedTable(folder: string): Promise<string> {
  const random = seededRandom(5, 'decided');
  const gaussian = bellShaped(random);
  const header = ['when', 'colour', ...Array.from({ length: 10 }, (_, i) => `noise ${i}`), 'decides', 'class'];
  const rows = Array.from({ length: 600 }, () => {
    const decides = gaussian();
    const when = new Date(Date.UTC(2020, 0, 1 + Math.floor(1000 * random()))).toISOString().slice(0, 10);
    const noise = Array.from({ length: 10 }, () => gaussian().toFixed(4));
    const colour = ['red', 'green', 'blue'][Math.floor(3 * random())];
    return [when, colour, ...noise, decides.toFixed(4), decides > 0.8 ? 'rare' : 'common'].join(',');
  });
  const path = join(folder, 'decided.csv');
  await writeFile(path, `${[header.join(','), ...rows].join('\n')}\n`);
  return path;
}

const portfolio: ConfigInput['portfolio'] = [
  { name: 'linear', model: { name: 'mlp', hidden: [], logitNorm: false }, schedule: { name: 'cosine' } },
  { name: 'tabular', model: { name: 'tabular', hidden: [16] } },
];

describe('the importance of columns', () => {
  it('is largest for the column that decides the class, and none for noise, dates and categories included', async () => {
    const folder = await temporaryFolder();
    const source = await writeDecidedTable(folder);
    const run = join(folder, 'run');
    const data = { source, target: 'class', testShare: 0 };
    const { evaluation } = await train(
      { data, model: { name: 'auto' }, portfolio, folds: 4, epochs: 12, threads: 1 },
      { folder: run },
    );
    const report = await importanceOf(run);
    expect(report).toMatchObject({ measured: 'out of fold', rows: 600, permutations: 5 });
    expect(report.columns.map(({ name }) => name)).toHaveLength(13);
    const [first, ...others] = report.columns;
    expect(first?.name).toBe('decides');
    expect(first?.logLossRise.interval?.low).toBeGreaterThan(0.3);
    expect(first?.balancedAccuracyDrop.interval?.low).toBeGreaterThan(0.2);
    // Of 12 intervals, one that misses 0 is to be expected in every second table.
    const missing = others.filter(
      ({ logLossRise: { interval } }) => interval === null || interval.low > 0 || interval.high < 0,
    );
    expect(missing.length).toBeLessThanOrEqual(2);
    for (const { logLossRise } of others) expect(Math.abs(logLossRise.value ?? 1)).toBeLessThan(0.05);
    // The rows are those of the out-of-fold estimate, mixed and decided as there.
    expect(report.before.balancedAccuracy).toBeCloseTo(evaluation.report.balancedAccuracy, 12);
    // Permuting what decides costs the rare class its recall, by what chance leaves of it.
    expect(report.perClass?.classNames).toEqual(['common', 'rare']);
    const [deciding] = report.perClass?.columns ?? [];
    const drops = deciding?.recallDrop.map(({ value }) => value ?? Number.NaN) ?? [];
    expect(drops[1]).toBeGreaterThan(0.4);
    expect((drops[0] ?? 0) / 2 + (drops[1] ?? 0) / 2).toBeCloseTo(first?.balancedAccuracyDrop.value ?? -1, 12);
  });

  it('gives no credit to a column that the networks have learned by heart', async () => {
    const folder = await temporaryFolder();
    const random = seededRandom(8, 'by heart');
    const gaussian = bellShaped(random);
    // Classes are drawn by lot. Eight numbers tell every row from all others: enough to know training rows by heart.
    const names = Array.from({ length: 8 }, (_, i) => `mark ${i}`);
    const rows = Array.from({ length: 120 }, () =>
      [...names.map(() => gaussian().toFixed(5)), random() < 0.5 ? 'a' : 'b'].join(','),
    );
    const source = join(folder, 'by-heart.csv');
    await writeFile(source, `${names.join(',')},class\n${rows.join('\n')}\n`);
    const run = join(folder, 'run');
    const { evaluation } = await train(
      {
        data: { source, target: 'class', testShare: 0 },
        model: { name: 'mlp', hidden: [128, 64] },
        method: { name: 'one-hot' },
        optimizer: { name: 'adamw', learningRate: 0.01, weightDecay: 0 },
        folds: 4,
        epochs: 40,
        batchSize: 32,
        threads: 1,
      },
      { folder: run },
    );
    // Most networks of the pack have seen a row: together they know it. The one that has not knows nothing.
    const model = await openModel(join(run, 'model.onnx'));
    const { labels } = await model.predictFile(source);
    await model.close();
    const known = labels.filter((label, row) => rows[row]?.endsWith(`,${label}`)).length / rows.length;
    expect(known).toBeGreaterThan(0.85);
    expect(evaluation.report.balancedAccuracy).toBeLessThan(0.62);
    const { columns } = await importanceOf(run);
    const credited = columns.filter(({ logLossRise: { interval } }) => interval !== null && interval.low > 0);
    expect(credited.length).toBeLessThanOrEqual(1); // of eight, by chance
    const drops = columns.map(({ balancedAccuracyDrop }) => balancedAccuracyDrop.value ?? Number.NaN);
    expect(Math.abs(drops.reduce((sum, drop) => sum + drop, 0) / drops.length)).toBeLessThan(0.03);
  });

  it('of one network is measured on its test set, as the exported model answers with every value that a row could get', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder, [240, 80, 60]);
    const run = join(folder, 'run');
    const { evaluation } = await train(tableConfig(source, { method: { name: 'one-hot' }, epochs: 12 }), {
      folder: run,
    });
    const report = await importanceOf(run);
    expect(report.measured).toBe('test set');
    expect(report.before.balancedAccuracy).toBeCloseTo(evaluation.report.balancedAccuracy, 12);
    const [header = '', ...lines] = (await readFile(source, 'utf8')).trim().split('\n');
    const names = header.split(',').slice(0, -1);
    const cells = lines.map((line) => line.split(','));
    const test = (await predictionsOf(run)).slice(1).map(([row]) => Number(row) - 1);
    expect(report.rows).toBe(test.length);
    const model = await openModel(join(run, 'model.onnx'));
    const rowOf = (row: number) => Object.fromEntries(names.map((name, c) => [name, cells[row]?.[c] || null]));
    const labelOf = (row: number) => cells[row]?.at(-1) ?? '';
    const classNames = report.perClass?.classNames ?? [];
    /** Mean over the classes of the share of right answers, each row with each value as often as any other. */
    const expectedAccuracy = async (name: string) => {
      const pairs = test.flatMap((row) => test.map((donor) => ({ row, donor })));
      const { labels } = await model.predictRows(
        pairs.map(({ row, donor }) => ({ ...rowOf(row), [name]: rowOf(donor)[name] ?? null })),
      );
      const recalls = classNames.map((p) => {
        const own = pairs.map(({ row }, i) => ({ row, i })).filter(({ row }) => labelOf(row) === p);
        return own.filter(({ i }) => labels[i] === p).length / own.length;
      });
      return recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
    };
    for (const name of names) {
      const drop = report.before.balancedAccuracy - (await expectedAccuracy(name));
      const { value, interval } = named(report, name).balancedAccuracyDrop;
      // Five permutations of so few rows are off by chance, but by less than the rows themselves are.
      const reach = interval === null ? 0.01 : (interval.high - interval.low) / 2;
      expect(Math.abs(drop - (value ?? Number.NaN)), name).toBeLessThan(reach + 0.01);
    }
    await model.close();
    expect(report.columns[0]?.name).not.toBe('member');
    expect(named(report, 'x').balancedAccuracyDrop.value).toBeGreaterThan(0.05);
  });

  it('is that of the portfolio, not of its members, is told of, and can be left out', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const config = tableConfig(source, { model: { name: 'auto' }, portfolio, folds: 3, epochs: 2 });
    const told: string[] = [];
    await train(config, {
      folder: join(folder, 'with'),
      onEvent: (event) => event.kind === 'importance' && told.push(`${event.done}/${event.columns}`),
    });
    expect(told).toEqual(['0/4', '1/4', '2/4', '3/4', '4/4']);
    expect(existsSync(join(folder, 'with/importance.json'))).toBe(true);
    expect(existsSync(join(folder, 'with/members/linear/importance.json'))).toBe(false);
    await train(config, { folder: join(folder, 'without'), importance: false });
    expect(await (await openRun(join(folder, 'without'))).importance()).toBeUndefined();
    const evaluationOf = (run: string) => readFile(join(folder, run, 'evaluation.json'), 'utf8');
    expect(await evaluationOf('without')).toBe(await evaluationOf('with'));
  });

  it('is the same bytes when training is stopped while it is measured', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const config = tableConfig(source, { model: { name: 'auto' }, portfolio, folds: 3, epochs: 2 });
    await train(config, { folder: join(folder, 'whole') });
    const stop = new AbortController();
    const stopped = train(config, {
      folder: join(folder, 'parts'),
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === 'importance' && event.done === 1) stop.abort(new Error('enough'));
      },
    });
    await expect(stopped).rejects.toThrow('enough');
    expect(existsSync(join(folder, 'parts/evaluation.json'))).toBe(false);
    await resume(join(folder, 'parts'));
    for (const name of ['importance.json', 'evaluation.json']) {
      const textOf = (run: string) => readFile(join(folder, run, name), 'utf8');
      expect(await textOf('parts')).toBe(await textOf('whole'));
    }
  });

  it('of more than 128 classes is that of the columns alone', async () => {
    const folder = await temporaryFolder();
    const random = seededRandom(9, 'many classes');
    const rows = Array.from({ length: 130 * 5 }, (_, row) => `${row % 130},${random()},class ${row % 130}`);
    const source = join(folder, 'many.csv');
    await writeFile(source, `x,y,class\n${rows.join('\n')}\n`);
    await train(tableConfig(source, { folds: 2, epochs: 1 }), { folder: join(folder, 'run') });
    const report = await importanceOf(join(folder, 'run'));
    expect(report.perClass).toBeNull();
    expect(report.columns).toHaveLength(2);
  });
});
