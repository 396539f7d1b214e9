import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ConfigInput, train } from '../../src/index.js';
import { temporaryFolder } from '../runs/examples.js';
import { filesOf, tableConfig, writeTable } from './problem.js';

/** A table of a number and a class, so many rows of each. */
async function writeClasses(folder: string, counts: Readonly<Record<string, number>>, group = ''): Promise<string> {
  const rows = Object.entries(counts).flatMap(([name, count], label) =>
    Array.from({ length: count }, (_, i) => `${label + i / 100},${name === group ? 'same' : `g${i}`},${name}\n`),
  );
  const path = join(folder, 'classes.csv');
  await writeFile(path, `x,patient,class\n${rows.join('')}`);
  return path;
}

describe('data that cannot be trained on', () => {
  it('fault 21: one class only is refused, and there is no run folder', async () => {
    const folder = await temporaryFolder();
    const source = await writeClasses(folder, { fine: 30 });
    await expect(train(tableConfig(source), { folder: join(folder, 'run') })).rejects.toThrow(
      'classes.csv has only one class, "fine"; expected at least two, or there is nothing to learn.',
    );
    expect(await filesOf(folder)).toEqual(['classes.csv']);
  });

  it('fault 22: a class with too few rows is refused with counts', async () => {
    const folder = await temporaryFolder();
    const source = await writeClasses(folder, { fine: 30, odd: 10, once: 1, twice: 2 });
    const config = tableConfig(source, { data: { source, target: 'class', rareClasses: 'refuse' } });
    await expect(train(config, { folder: join(folder, 'run') })).rejects.toThrow(
      'classes.csv has classes with too few instances to split: "once" (1), "twice" (2). Expected at least 3 of each',
    );
  });

  it('fault 22: if only one other class could be tested, it is refused by default too', async () => {
    const folder = await temporaryFolder();
    const source = await writeClasses(folder, { fine: 30, twice: 2 });
    await expect(train(tableConfig(source), { folder: join(folder, 'run') })).rejects.toThrow(
      'classes.csv has classes with too few instances to split: "twice" (2). Expected at least 3 of each',
    );
  });

  it('fault 23: by default it is learned, and its results are null with the reason', async () => {
    const folder = await temporaryFolder();
    const source = await writeClasses(folder, { fine: 30, odd: 10, once: 1, twice: 2 });
    const { evaluation, notes } = await train(tableConfig(source, { epochs: 1 }), { folder: join(folder, 'run') });
    const [, , once] = evaluation.report.perClass;
    expect(once).toMatchObject({ name: 'once', support: 0, recall: { value: null, reason: expect.any(String) } });
    expect(evaluation.counts.training).toEqual([19, 4, 1, 1]);
    expect(notes.some((note) => note.includes('"once" (1), "twice" (2). They are learned'))).toBe(true);
  });

  it.each([
    ['merge', ['fine', 'odd', 'other']],
    ['drop', ['fine', 'odd']],
  ] as const)('fault 22: rareClasses "%s" trains with %j', async (rareClasses, names) => {
    const folder = await temporaryFolder();
    const source = await writeClasses(folder, { fine: 30, odd: 10, once: 1, twice: 2 });
    const config = tableConfig(source, { data: { source, target: 'class', rareClasses }, epochs: 1 });
    const { evaluation, notes } = await train(config, { folder: join(folder, 'run') });
    expect(evaluation.report.perClass.map(({ name }) => name)).toEqual(names);
    expect(notes.some((note) => note.includes('"once" (1), "twice" (2)'))).toBe(true);
  });

  it('fault 23: a class that validation or test lack has null and a reason there, never 0', async () => {
    const folder = await temporaryFolder();
    const source = await writeClasses(folder, { fine: 40, odd: 20, one: 6 }, 'one');
    const config = tableConfig(source, { data: { source, target: 'class', group: 'patient' }, epochs: 1 });
    const { evaluation, notes } = await train(config, { folder: join(folder, 'run') });
    const [line = ''] = (await readFile(join(folder, 'run', 'metrics.jsonl'), 'utf8')).split('\n');
    const { softRecall, softAccuracy } = JSON.parse(line).validation;
    expect(softRecall).toEqual([expect.any(Number), expect.any(Number), null]);
    expect(softAccuracy).toBeCloseTo((softRecall[0] + softRecall[1]) / 2, 12);
    expect(evaluation.report.perClass[2]?.recall).toEqual({ value: null, reason: expect.stringContaining('one') });
    expect(notes.filter((note) => note.includes('"one"')).length).toBeGreaterThan(0);
  });
});

describe('options that do not fit', () => {
  it('a model for images is refused for a table', async () => {
    const folder = await temporaryFolder();
    const config = tableConfig(await writeTable(folder), { model: { name: 'lenet5' } });
    await expect(train(config, { folder: join(folder, 'run') })).rejects.toThrow(
      'model.name is "lenet5", which takes images; expected "mlp" or "tabular" for a table',
    );
  });

  it('augmentation is refused for a table', async () => {
    const folder = await temporaryFolder();
    const config = tableConfig(await writeTable(folder), { augmentation: {} });
    await expect(train(config, { folder: join(folder, 'run') })).rejects.toThrow(
      'augmentation is for images, and table.csv is a table; leave it out',
    );
  });

  it.each<[NonNullable<NonNullable<ConfigInput['decision']>['objective']>, string]>([
    [
      { costs: [[0, 1]] },
      'decision.objective: costs has 1 row; expected one for each of 3 classes, in this order: =cmd, __proto__, plain',
    ],
    [
      {
        costs: [
          [0, 1, 1],
          [1, 0],
          [1, 1, 0],
        ],
      },
      'decision.objective: costs[1] has 2 numbers; expected one for each of 3 classes, in this order: =cmd, __proto__, plain',
    ],
    [
      {
        costs: [
          [0, 1, 1],
          [1, 0, 1],
          [1, -2, -1],
        ],
      },
      'decision.objective: costs[2][2] is -1, and costs[2][1] is -2: where "plain" is true, answering it would cost more than ' +
        'answering "__proto__"; expected the right answer to be the cheapest of its row',
    ],
    [
      { costs: { plan: { '=cmd': 5 } } },
      'decision.objective: costs names the class "plan", which is not there; did you mean "plain"?',
    ],
    [
      { costs: { plain: { rare: 5 } } },
      'decision.objective: costs.plain names the class "rare", which is not there; expected one of =cmd, __proto__, plain',
    ],
    [
      { recallAtPrecision: 0.9, class: 'Plain' },
      'decision.objective: class names the class "Plain", which is not there; did you mean "plain"?',
    ],
  ])('the objective %j is refused before training', async (objective, message) => {
    const folder = await temporaryFolder();
    const config = tableConfig(await writeTable(folder), { decision: { objective } });
    await expect(train(config, { folder: join(folder, 'run') })).rejects.toThrow(message);
    expect(await filesOf(folder)).toEqual(['table.csv']);
  });

  it('a device that is not there is refused, and there is no run folder', async () => {
    const folder = await temporaryFolder();
    const config = tableConfig(await writeTable(folder), { device: 'coreml' });
    await expect(train(config, { folder: join(folder, 'run') })).rejects.toThrow(
      /^device: the device "coreml" cannot be used/,
    );
    expect(await filesOf(folder)).toEqual(['table.csv']);
  });

  it('fault 12: a folder that is in use for something else is refused before training', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'run'));
    await writeFile(join(folder, 'run', 'thesis.tex'), '');
    const config = tableConfig(await writeTable(folder));
    await expect(train(config, { folder: join(folder, 'run') })).rejects.toThrow('is not empty: "thesis.tex" is in it');
  });
});
