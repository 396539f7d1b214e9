import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@evenhand/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InterruptedError, openModel, openRun, resume, type TrainingEvent, train } from '../../src/index.js';
import { entriesOf, epochGenerator } from '../../src/runs/generator-file.js';
import { csvCell } from '../../src/tables/csv-cell.js';
import { resultsOf, tableConfig } from '../training/problem.js';

const CLASSES = 150;
const NAMES = Array.from({ length: CLASSES }, (_, p) => (p === 0 ? '=cmd, "quoted"' : `class ${1000 + p}`));

/** Eight rows of each class around a centre of its own. */
async function writeTable(folder: string): Promise<string> {
  const random = seededRandom(2, 'many classes');
  const rows = NAMES.flatMap((name) => {
    const centre = [10 * random(), 10 * random(), 10 * random()];
    return Array.from({ length: 8 }, () => [...centre.map((middle) => middle + random()), csvCell(name)].join(','));
  });
  const path = join(folder, 'table.csv');
  await writeFile(path, `x,y,z,class\n${rows.join('\n')}\n`);
  return path;
}

describe('a line of generator.jsonl', () => {
  it('fault 54: has of very many classes the diagonal, and of each row the five entries that are furthest from 0', () => {
    const generator = new Float32Array(CLASSES ** 2);
    for (let p = 0; p < CLASSES; p++) generator[p * CLASSES + p] = 1 + p;
    const row = [0.5, -4, 0, 2, -2, 3, -0.25, 1];
    for (const [k, entry] of row.entries()) generator[10 + k] = entry;
    const line = epochGenerator(3, { generator, classWeights: new Float32Array(CLASSES).fill(1) });
    expect(line).toMatchObject({ epoch: 3, classWeights: Array.from({ length: CLASSES }, () => 1) });
    const entries = [...entriesOf(line)];
    // −4, 3, then 2 before −2, which is as far from 0 and stands behind it, then 1.
    expect(entries.filter((entry) => entry.row === 0)).toEqual(
      [
        [0, 1],
        [11, -4],
        [15, 3],
        [13, 2],
        [14, -2],
        [17, 1],
      ].map(([column, entry]) => ({ row: 0, column, entry })),
    );
    expect(entries).toHaveLength(CLASSES + 5);
    expect(entries.at(-1)).toEqual({ row: CLASSES - 1, column: CLASSES - 1, entry: CLASSES });
  });

  it('has the whole matrix of 128 classes', () => {
    const line = epochGenerator(0, {
      generator: new Float32Array(128 ** 2).fill(0.5),
      classWeights: new Float32Array(128),
    });
    expect([...entriesOf(line)]).toHaveLength(128 ** 2);
    expect(line).toHaveProperty('generator');
  });
});

describe(`fault 54: a run with ${CLASSES} classes`, () => {
  let folder: string;
  let run: string;
  let source: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenhand-many-classes-'));
    run = join(folder, 'run');
    source = await writeTable(folder);
    await train(tableConfig(source, { epochs: 3, batchSize: 64 }), { folder: run });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('comes to the same bytes after an interruption', async () => {
    const parts = join(folder, 'parts');
    const request = new AbortController();
    const onEvent = ({ kind }: TrainingEvent) => {
      if (kind === 'epoch') request.abort(new InterruptedError('SIGINT'));
    };
    const config = tableConfig(source, { epochs: 3, batchSize: 64 });
    await expect(train(config, { folder: parts, onEvent, signal: request.signal })).rejects.toThrow('interrupted');
    await resume(parts);
    expect(await resultsOf(parts)).toEqual(await resultsOf(run));
  });

  it('has a generator.jsonl that grows with the classes, not with their square', async () => {
    const lines = (await readFile(join(run, 'generator.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    // Of each class its weight, its diagonal entry, and five others with their columns.
    for (const line of lines) expect(line.length).toBeLessThan(CLASSES * (7 * 20 + 5 * 4));
  });

  it('has the probabilities of the right class and of the likeliest ones, as the model gives them', async () => {
    const { instances, labels, answers, probabilities } = await (await openRun(run)).predictions();
    const model = await openModel(join(run, 'model.onnx'));
    const all = await model.predictFile(source);
    await model.close();
    for (const [i, instance] of instances.entries()) {
      const row = Number(instance) - 1;
      const given = all.probabilities.subarray(row * CLASSES, (row + 1) * CLASSES);
      const read = probabilities.subarray(i * CLASSES, (i + 1) * CLASSES);
      expect(NAMES[labels[i] ?? -1]).toBe(NAMES[Math.floor(row / 8)]);
      const likeliest = Array.from(given.keys()).sort((a, b) => (given[b] ?? 0) - (given[a] ?? 0));
      expect(answers[i]).toBe(likeliest[0]);
      for (const p of [labels[i] ?? -1, ...likeliest.slice(0, 19)]) expect(read[p]).toBeCloseTo(given[p] ?? 2, 4);
      expect(read.reduce((a, b) => a + b)).toBeCloseTo(1, 6);
    }
  });

  it('has a confusion matrix that counts its predictions', async () => {
    const opened = await openRun(run);
    const { labels, answers } = await opened.predictions();
    const counted = new Array<number>(CLASSES ** 2).fill(0);
    for (const [i, label] of labels.entries()) {
      const cell = label * CLASSES + (answers[i] ?? -1);
      counted[cell] = (counted[cell] ?? Number.NaN) + 1;
    }
    expect((await opened.evaluation()).report.confusionMatrix).toEqual(counted);
  });

  it('refuses a confusion matrix about other classes', async () => {
    const damaged = join(folder, 'damaged');
    await train(tableConfig(source, { epochs: 1, batchSize: 64, method: { name: 'one-hot' } }), { folder: damaged });
    const file = join(damaged, 'evaluation.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/"answers":\[\d+/, `"answers":[${CLASSES}`));
    await expect((await openRun(damaged)).evaluation()).rejects.toThrow('report.confusionMatrix');
  });

  it('is read too where its predictions have the probability of every class', async () => {
    const before = await (await openRun(run)).predictions();
    const file = join(run, 'predictions.csv');
    const text = await readFile(file, 'utf8');
    const header = ['instance', 'class', 'predicted', ...NAMES.map((name) => csvCell(`probability of ${name}`))];
    const lines = before.instances.map((instance, i) =>
      [
        instance,
        ...[before.labels[i], before.answers[i]].map((p) => csvCell(NAMES[p ?? -1] ?? '')),
        ...before.probabilities.subarray(i * CLASSES, (i + 1) * CLASSES),
      ].join(','),
    );
    await writeFile(file, `${[header.join(','), ...lines].join('\n')}\n`);
    expect(await (await openRun(run)).predictions()).toEqual(before);
    await writeFile(file, text);
  });
});
