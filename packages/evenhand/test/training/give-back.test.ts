import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import { readTableFile } from '../../src/doors/data.js';
import { openRun, resume, type TrainingEvent, train } from '../../src/index.js';
import { writeReport } from '../../src/report/write-report.js';
import { splitDataset } from '../../src/splits/split-dataset.js';
import { epochBatches } from '../../src/training/epoch-batches.js';
import { rowsOfNetworks } from '../../src/training/rows-of-networks.js';
import { temporaryFolder } from '../runs/examples.js';
import { resultsOf, tableConfig, writeTable } from './problem.js';

const given = (source: string, giveBack: number) => ({ data: { source, target: 'class', giveBack } });

describe('instances that are held out to measure', () => {
  it('are in no batch before they are given back, and in every epoch from then on', async () => {
    const source = await writeTable(await temporaryFolder());
    const dataset = await readTableFile(source, { target: 'class' });
    const split = splitDataset(dataset, { seed: 0 });
    const batches = epochBatches(dataset.labels, rowsOfNetworks(split, { givesBack: true }), {
      seed: 3,
      batchSize: 8,
      giveBackFrom: 2,
    });
    const heldOut = new Set(split.validation);
    expect(heldOut.size).toBe(15);
    for (const epoch of [0, 1, 2, 3]) {
      const seen = new Set(batches.of(epoch).flatMap((batch) => [...batch]));
      expect(batches.of(epoch)).toHaveLength(batches.stepsIn(epoch));
      expect([...split.training].every((instance) => seen.has(instance))).toBe(true);
      expect([...heldOut].filter((instance) => seen.has(instance))).toHaveLength(epoch < 2 ? 0 : 15);
    }
    expect(batches.stepsPerEpoch).toBe(batches.stepsIn(3));
  });

  it('measure until then; afterwards the labels stay and nothing is measured', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    await train(tableConfig(source, { ...given(source, 0.5), epochs: 6 }), { folder: join(folder, 'run') });
    const run = await openRun(join(folder, 'run'));
    const metrics = await run.metrics();
    expect(metrics.map(({ validation }) => validation !== null)).toEqual([true, true, true, false, false, false]);
    const diagonals = metrics.map(({ generatorDiagonal }) => generatorDiagonal);
    expect(diagonals[2]).not.toEqual(diagonals[1]);
    expect(diagonals.slice(3)).toEqual([diagonals[2], diagonals[2], diagonals[2]]);
    expect((await run.generators()).map(({ epoch }) => epoch)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('never train with a share of 1, the published protocol', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    await train(tableConfig(source, given(source, 1)), { folder: join(folder, 'run') });
    const metrics = await (await openRun(join(folder, 'run'))).metrics();
    expect(metrics.every(({ validation }) => validation !== null)).toBe(true);
  });

  it('are none for methods that do not measure: every instance beside the test set trains', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const config = tableConfig(source, { method: { name: 'logit-adjustment' }, epochs: 2 });
    await train(config, { folder: join(folder, 'run') });
    const run = await openRun(join(folder, 'run'));
    const { counts } = await run.evaluation();
    expect(counts).toEqual({ training: [96, 32, 16], validation: [0, 0, 0], test: [24, 8, 4] });
    expect((await run.metrics()).map(({ validation }) => validation)).toEqual([null, null]);
  });
});

it('faults 4 and 5: interrupted before, at and after the epoch in which instances are given back, a run comes to the same bytes', async () => {
  const folder = await temporaryFolder();
  const source = await writeTable(folder);
  const config = tableConfig(source, { ...given(source, 0.5), epochs: 4 });
  await train(config, { folder: join(folder, 'whole') });
  const run = join(folder, 'run');
  const interrupted = (epoch: number, step: number) => {
    const stop = new AbortController();
    return {
      signal: stop.signal,
      onEvent: (event: TrainingEvent) => {
        if (event.kind === 'steps' && event.epoch === epoch && event.step >= step) stop.abort();
      },
    };
  };
  await expect(train(config, { folder: run, ...interrupted(1, 1) })).rejects.toThrow();
  for (const [epoch, step] of [
    [2, 1],
    [2, 10],
    [3, 5],
  ] as const) {
    await resume(run, interrupted(epoch, step)).catch(() => undefined); // steps come in chunks: it may be behind it already
  }
  await resume(run);
  expect(await resultsOf(run)).toEqual(await resultsOf(join(folder, 'whole')));
});

it('fault 8: where an override asks for an epoch that is over, they are given back in the next one', async () => {
  const folder = await temporaryFolder();
  const source = await writeTable(folder);
  const config = tableConfig(source, { ...given(source, 1), epochs: 4 });
  await train(config, { folder: join(folder, 'run') });
  const other = { ...config, ...given(source, 0.25), epochs: 6 };
  await resume(join(folder, 'run'), { config: other, override: true });
  const metrics = await (await openRun(join(folder, 'run'))).metrics();
  expect(metrics.map(({ validation }) => validation !== null)).toEqual([true, true, true, true, false, false]);
  expect(metrics[5]?.generatorDiagonal).toEqual(metrics[3]?.generatorDiagonal);
});

describe('a share that cannot be', () => {
  const data = { source: 'fraud.csv', target: 'class', giveBack: 0.5 };
  it.each([
    ['folds', { model: { name: 'tabular' }, folds: 4 }, 'expected 1 with folds, where nothing is held out'],
    ['early stopping', { model: { name: 'mlp' }, earlyStopping: { patience: 3 } }, 'expected 1 with early stopping'],
    [
      'a decision',
      { model: { name: 'mlp' }, decision: { objective: 'macro-f1' } },
      'expected 1 with a fitted decision',
    ],
    [
      'a method that measures',
      { model: { name: 'mlp' }, data: { ...data, giveBack: 0 } },
      'expected more than 0 with the method "enhancement", which measures held-out instances',
    ],
  ])('is refused with %s', (_, options, message) => {
    expect(() => parseConfig({ data, ...options })).toThrow(message);
  });

  it('is not the default where something else needs the validation instances', () => {
    const shareOf = (options: object) =>
      parseConfig({ data: { source: 'fraud.csv', target: 'class' }, ...options }).data.giveBack;
    expect(shareOf({})).toBe(1);
    expect(shareOf({ model: { name: 'mlp' } })).toBe(0.67);
    expect(shareOf({ model: { name: 'mlp' }, method: { name: 'ldam' } })).toBe(0);
    expect(shareOf({ model: { name: 'mlp' }, earlyStopping: {} })).toBe(1);
    expect(shareOf({ model: { name: 'mlp' }, decision: { temperature: true } })).toBe(1);
  });
});

it('says so in the report: the validation curve ends where they are given back', async () => {
  const folder = await temporaryFolder();
  const source = await writeTable(folder);
  await train(tableConfig(source, { ...given(source, 0.5), epochs: 4 }), { folder: join(folder, 'run') });
  expect(await readFile(await writeReport(join(folder, 'run')), 'utf8')).toContain(
    'From epoch 3 on these instances were trained on, too.',
  );
});
