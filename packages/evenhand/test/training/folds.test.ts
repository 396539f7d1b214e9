import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Trainer } from '@evenhand/engine/node';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import { learnerConfig } from '../../src/config/schema.js';
import { openModel, resume, train, UserError } from '../../src/index.js';
import { readTableFile } from '../../src/sources/table-file.js';
import { NetworkLearner } from '../../src/training/learners/network-learner.js';
import { NetworkPlan } from '../../src/training/learners/network-plan.js';
import { setUpTraining } from '../../src/training/set-up.js';
import { temporaryFolder } from '../runs/examples.js';
import { predictionsOf, resultsOf, tableConfig, writeTable } from './problem.js';

async function setUp(source: string, options: Parameters<typeof tableConfig>[1]) {
  const { model, portfolio: _, ...shared } = parseConfig(tableConfig(source, options));
  if (model.name === 'auto') throw new Error('the test wants one network');
  const { learner, ...setup } = await setUpTraining(learnerConfig(shared, model), () => undefined, {});
  if (!(learner instanceof NetworkPlan)) throw new Error('the test wants a network');
  return { ...setup, learner, program: learner.program, batchesOf: (epoch: number) => learner.batches.of(epoch) };
}

describe('training in folds', () => {
  it('sets no row aside, and shows each network only rows outside its fold, all of them', async () => {
    const folder = await temporaryFolder();
    const { split, batchesOf, program, dataset } = await setUp(await writeTable(folder), { folds: 4 });
    const { training, folds = new Int32Array() } = split;
    expect(split.validation).toHaveLength(0);
    expect(training.length + split.test.length).toBe(dataset.labels.length);
    const foldOf = new Map(Array.from(training, (instance, row) => [instance, folds[row]]));
    const seen = Array.from({ length: 4 }, () => new Set<number>());
    for (const batch of batchesOf(0)) {
      expect(batch).toHaveLength(4 * program.batchSize);
      for (const [i, instance] of batch.entries()) seen[Math.floor(i / program.batchSize)]?.add(instance);
    }
    for (const [network, instances] of seen.entries()) {
      const outside = Array.from(training).filter((instance) => foldOf.get(instance) !== network);
      expect([...instances].sort((a, b) => a - b)).toEqual(outside);
    }
  });

  it('measures every row by the network that leaves out its fold', async () => {
    const folder = await temporaryFolder();
    const { split, learner, program, instances } = await setUp(await writeTable(folder), { folds: 3 });
    const trainer = await Trainer.start(program, { threads: 1 });
    try {
      const network = new NetworkLearner(learner, trainer);
      const measured = await network.measured();
      const { classes, evaluationBatch, pack } = program;
      const each = evaluationBatch / pack;
      for (const row of [0, 1, 17, split.training.length - 1]) {
        // The same row for all networks: what the one of its fold says is what was measured.
        const same = new Int32Array(evaluationBatch).fill(split.training[row] ?? -1);
        const outputs = await trainer.predict(instances.inputs(same));
        const fold = split.folds?.[row] ?? -1;
        const own = outputs.subarray(fold * each * classes, (fold * each + 1) * classes);
        expect([...measured.subarray(row * classes, (row + 1) * classes)]).toEqual([...own]);
      }
    } finally {
      await trainer.close();
    }
  });

  it('fault 51: a class with fewer rows than folds is learned, and measured by the folds that have it', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder, [60, 30, 4]);
    const run = join(folder, 'run');
    await train(tableConfig(source, { folds: 6 }), { folder: run });
    const lines = (await readFile(join(run, 'metrics.jsonl'), 'utf8')).trim().split('\n');
    for (const line of lines) {
      const { validation } = JSON.parse(line);
      expect(validation.softRecall.every((recall: unknown) => typeof recall === 'number')).toBe(true);
      expect(Number.isFinite(validation.balancedLogLoss)).toBe(true);
    }
  });

  it('fault 51: a class with a single row is learned by all networks but one, which measures it', async () => {
    const folder = await temporaryFolder();
    const { measuring, batchesOf, program, split, instances } = await setUp(await writeTable(folder, [40, 20, 1]), {
      folds: 4,
    });
    const only = split.training.findIndex((instance) => instances.labels[instance] === 2);
    expect([...measuring.labels].filter((label) => label === 2)).toHaveLength(1);
    const instance = split.training[only] ?? -1;
    const networks = new Set<number>();
    for (const batch of batchesOf(0)) {
      for (const [i, shown] of batch.entries()) {
        if (shown === instance) networks.add(Math.floor(i / program.batchSize));
      }
    }
    expect(networks.size).toBe(3);
    expect(networks.has(split.folds?.[only] ?? -1)).toBe(false);
  });

  it('comes to the same bytes after a pause', async () => {
    const folder = await temporaryFolder();
    const config = tableConfig(await writeTable(folder), { folds: 3, earlyStopping: { patience: 2 } });
    await train(config, { folder: join(folder, 'whole') });
    const stop = new AbortController();
    const paused = train(config, {
      folder: join(folder, 'parts'),
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === 'epoch' && event.metrics.epoch === 1) stop.abort(new Error('paused'));
      },
    });
    await expect(paused).rejects.toThrow('paused');
    await resume(join(folder, 'parts'));
    expect(await resultsOf(join(folder, 'parts'))).toEqual(await resultsOf(join(folder, 'whole')));
  });

  it('without a test set, estimates out of fold on every row, and says so', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const config = tableConfig(source, { folds: 4, epochs: 15, data: { source, target: 'class', testShare: 0 } });
    const { evaluation } = await train(config, { folder: join(folder, 'run') });
    expect(evaluation.estimated).toBe('out of fold');
    expect(evaluation.report.instances).toBe(180);
    expect(evaluation.report.balancedAccuracy).toBeGreaterThan(0.6);
    expect(await predictionsOf(join(folder, 'run'))).toHaveLength(181);
  });

  it('exports a model that answers as the run did', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const run = join(folder, 'run');
    await train(tableConfig(source, { folds: 3 }), { folder: run });
    const dataset = await readTableFile(source, { target: 'class' });
    const model = await openModel(join(run, 'model.onnx'));
    const { probabilities } = await model.predictFile(source);
    const [, ...rows] = await predictionsOf(run);
    for (const [row = '', , , ...given] of rows) {
      const start = (Number(row) - 1) * 3;
      for (const [q, text] of given.slice(-3).entries())
        expect(Number(text)).toBeCloseTo(probabilities[start + q] ?? 2, 5);
    }
    expect(dataset.labels).toHaveLength(180);
    await model.close();
  });

  it.each<[string, Parameters<typeof tableConfig>[1]]>([
    ['folds is 500, but table.csv has', { folds: 500 }],
    ['expected a test set, as there are no folds', { data: { source: '', target: 'class', testShare: 0 } }],
  ])('refuses: %s', async (message, options) => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const config = tableConfig(source, options);
    const given = { ...config, data: { ...config.data, source } };
    const refused = train(given, { folder: join(folder, 'run') });
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(message);
  });
});
