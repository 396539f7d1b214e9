import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import { learnerConfig } from '../../src/config/schema.js';
import {
  type ConfigInput,
  InterruptedError,
  openModel,
  openRun,
  resume,
  type TrainingEvent,
  train,
  UserError,
} from '../../src/index.js';
import { methods } from '../../src/methods/registry.js';
import { TreePlan } from '../../src/training/learners/tree-plan.js';
import { setUpTraining } from '../../src/training/set-up.js';
import { Child } from '../runs/child-process.js';
import { temporaryFolder } from '../runs/examples.js';
import { NETWORK_RESULTS, predictionsOf, resultsOf, writeTable } from './problem.js';

function treesConfig(source: string, options: Partial<ConfigInput> = {}): ConfigInput {
  return {
    data: { source, target: 'class' },
    model: { name: 'trees', minimalLeafRows: 5, rowShare: 0.8, columnShare: 0.8, roundsPerEpoch: 3 },
    folds: 3,
    epochs: 6,
    threads: 1,
    ...options,
  };
}

describe('the model "trees"', () => {
  it('learns, stops early out of fold, and exports a model that answers as the run did', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const run = join(folder, 'run');
    const { evaluation } = await train(treesConfig(source, { epochs: 30 }), { folder: run });
    expect(evaluation.weights.chosen).toBe('lowest balanced log-loss out of fold');
    expect(evaluation.report.balancedAccuracy).toBeGreaterThan(0.6);
    const metrics = await (await openRun(run)).metrics();
    const losses = metrics.map(({ validation }) => validation?.balancedLogLoss ?? Number.NaN);
    expect(losses.indexOf(Math.min(...losses))).toBe(evaluation.weights.epoch);
    const model = await openModel(join(run, 'model.onnx'));
    const { probabilities } = await model.predictFile(source);
    const [, ...rows] = await predictionsOf(run);
    expect(rows.length).toBeGreaterThan(20);
    for (const [row = '', , , ...given] of rows) {
      const start = (Number(row) - 1) * 3;
      for (const [q, text] of given.slice(-3).entries())
        expect(Number(text)).toBeCloseTo(probabilities[start + q] ?? 2, 5);
    }
    await model.close();
  });

  it('comes to the same bytes with one thread and with three', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const results = [];
    for (const threads of [1, 3]) {
      const run = join(folder, `run-${threads}`);
      await train(treesConfig(source, { threads }), { folder: run });
      const found = await resultsOf(run);
      found.delete('config.json');
      // A checkpoint names the configuration that it was trained with, and so the threads.
      found.delete('checkpoints/last.safetensors');
      results.push(found);
    }
    expect(results[0]).toEqual(results[1]);
  });

  it.each([
    ['after an epoch', 'epoch'],
    ['in the middle of one', 'steps'],
  ] as const)('fault 4: interrupted %s, comes to the same bytes', async (_, kind) => {
    const folder = await temporaryFolder();
    const config = treesConfig(await writeTable(folder), { method: { name: 'enhancement' } });
    await train(config, { folder: join(folder, 'whole') });
    const stop = new AbortController();
    const interrupted = train(config, {
      folder: join(folder, 'parts'),
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind !== kind) return;
        const { epoch, step } = event.kind === 'epoch' ? { epoch: event.metrics.epoch, step: 2 } : event;
        if (epoch === 1 && step === 2) stop.abort(new InterruptedError('SIGINT'));
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted by SIGINT');
    const { progress } = (await (await openRun(join(folder, 'parts'))).checkpoint('last'))?.checkpoint ?? {};
    expect(progress).toMatchObject(kind === 'epoch' ? { epoch: 2, step: 0 } : { epoch: 1, step: 2 });
    await resume(join(folder, 'parts'));
    expect(await resultsOf(join(folder, 'parts'))).toEqual(await resultsOf(join(folder, 'whole')));
  });

  it('faults 4 and 5: killed at random moments, comes to the same bytes', { timeout: 120_000 }, async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder, [1200, 400, 100]);
    const config = treesConfig(source, { epochs: 12 });
    const start = performance.now();
    await train(config, { folder: join(folder, 'whole') });
    const longest = (performance.now() - start) / 2;
    const run = join(folder, 'run');
    const random = seededRandom(3, 'kills');
    for (const mode of ['train', 'resume', 'resume']) {
      const child = new Child(
        `const [mode, folder, config] = process.argv.slice(1);
        const { train, resume } = await import(dist + 'index.js');
        const options = { onEvent: ({ kind }) => console.log(kind), checkpointSeconds: 0.05 };
        if (mode === 'train') await train(JSON.parse(config), { folder, ...options });
        else await resume(folder, options);`,
        [mode, run, JSON.stringify(config)],
      );
      await child.said('started');
      await sleep(random() * longest);
      child.kill('SIGKILL');
      await child.ended();
    }
    await resume(run);
    expect(await resultsOf(run)).toEqual(await resultsOf(join(folder, 'whole')));
  });

  it('without a test set, estimates out of fold on every row', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const config = treesConfig(source, { data: { source, target: 'class', testShare: 0 } });
    const { evaluation } = await train(config, { folder: join(folder, 'run') });
    expect(evaluation.estimated).toBe('out of fold');
    expect(evaluation.report.instances).toBe(180);
  });

  it('refits on all rows, and leaves every estimate out of fold as it was', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const data = { source, target: 'class', testShare: 0 };
    const once = await train(treesConfig(source, { data }), { folder: join(folder, 'once') });
    const again = await train(treesConfig(source, { data, refit: true }), { folder: join(folder, 'again') });
    expect(again.evaluation.refit).toEqual({ rows: 180, epochs: once.evaluation.weights.epoch + 1 });
    expect(again.evaluation.report).toEqual(once.evaluation.report);
    const [first, second] = await Promise.all(
      ['once', 'again'].map((name) => readFile(join(folder, name, 'model.onnx'))),
    );
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(false);
  });

  it('measures on validation rows where there are no folds', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const { evaluation } = await train(treesConfig(source, { folds: 1 }), { folder: join(folder, 'run') });
    expect(evaluation.weights.chosen).toBe('best validation soft accuracy');
    expect(evaluation.report.balancedAccuracy).toBeGreaterThan(0.5);
  });

  it('says what each column is worth by the splits that use it, beside the permutation importance', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    await train(treesConfig(await writeTable(folder)), { folder: run });
    const { columns = [] } = (await (await openRun(run)).importance()) ?? {};
    const gains = new Map(columns.map(({ name, gain }) => [name, gain ?? Number.NaN]));
    expect([...gains.keys()].sort()).toEqual(['colour', 'member', 'x', 'y']);
    expect([...gains.values()].reduce((sum, gain) => sum + gain, 0)).toBeCloseTo(1, 6);
    // "member" is a coin; the others make the classes.
    expect(gains.get('member')).toBeLessThan(gains.get('x') ?? 0);
    expect(gains.get('member')).toBeLessThan(0.15);
  });

  /** Over-sampling repeats rows, which is a matter of weights, and under-sampling draws anew in every round; the others give each member its own. */
  const resampling = Object.values(methods).filter(
    ({ name, changes, treesOnly = false }) =>
      changes === 'rows' && !treesOnly && name !== 'over-sampling' && name !== 'random-under-sampling',
  );
  const mixing: readonly string[] = ['mixup', 'balanced-mixup'];
  it.each(mixing)('refuses the method %s', async (name) => {
    const folder = await temporaryFolder();
    const config = { ...treesConfig(await writeTable(folder)), method: { name } };
    await expect(train(parseConfig(config), { folder: join(folder, 'run') })).rejects.toThrow(
      `the method "${name}" mixes the instances of every step anew`,
    );
  });

  it('refuses a loss without curvature', async () => {
    const folder = await temporaryFolder();
    const config = treesConfig(await writeTable(folder), { loss: { name: 'hinge' } });
    await expect(train(config, { folder: join(folder, 'run') })).rejects.toThrow(
      'loss.name is "hinge", which trees cannot be boosted by',
    );
  });

  it.each(resampling)('refuses the method $name', async ({ name }) => {
    const folder = await temporaryFolder();
    const config = treesConfig(await writeTable(folder), { method: { name } });
    await expect(train(config, { folder: join(folder, 'run') })).rejects.toThrow(
      `the method "${name}" gives each member rows of its own, and the members of trees share theirs`,
    );
  });

  const lastLayer = [
    ['ldam', 'changes the last layer'],
    ['tau-normalisation', 'changes the last layer'],
    ['classifier-retraining', 'changes the last layer'],
    ['influence-balanced', 'looks at the last hidden layer'],
    ['learning-to-reweight', 'looks at the last hidden layer'],
  ] as const;
  const others = Object.values(methods).flatMap(({ name }) =>
    name === 'class-weights' ||
    lastLayer.some(([own]) => own === name) ||
    mixing.includes(name) ||
    resampling.some((method) => method.name === name)
      ? []
      : [{ name }],
  );
  it.each<NonNullable<ConfigInput['method']>>([...others, { name: 'class-weights', weights: { plain: 5 } }])(
    'learns with the method $name',
    async (method) => {
      const folder = await temporaryFolder();
      const source = await writeTable(folder);
      const config = treesConfig(source, { method, data: { source, target: 'class', testShare: 0 } });
      const { evaluation } = await train(config, { folder: join(folder, 'run'), importance: false });
      expect(evaluation.report.balancedAccuracy).toBeGreaterThan(0.55);
    },
  );

  it.each(['self-paced-ensemble', 'smote-boost'] as const)(
    'with %s goes on from any round, refits, and comes to the same bytes; networks refuse it',
    async (name) => {
      const folder = await temporaryFolder();
      const source = await writeTable(folder);
      const config = treesConfig(source, { method: { name }, refit: true });
      const [whole, stopped] = [join(folder, 'whole'), join(folder, 'stopped')];
      await train(config, { folder: whole, importance: false });
      const interruption = new AbortController();
      const onEvent = ({ kind }: TrainingEvent) =>
        kind === 'epoch' && interruption.abort(new InterruptedError('SIGINT'));
      const interrupted = train(config, { folder: stopped, onEvent, signal: interruption.signal, importance: false });
      await expect(interrupted).rejects.toThrow(InterruptedError);
      await resume(stopped, { importance: false });
      expect(await resultsOf(stopped, NETWORK_RESULTS)).toEqual(await resultsOf(whole, NETWORK_RESULTS));
      const networks = { ...config, model: { name: 'mlp' as const, hidden: [4] } };
      await expect(train(networks, { folder: join(folder, 'networks') })).rejects.toThrow(
        `the method "${name}" goes by rounds of boosting, and networks have none; expected the model "trees"`,
      );
    },
  );

  it('with smote-boost each member has synthetic rows of its own, made of rows that it may see, twice as many as a round takes', async () => {
    const source = await writeTable(await temporaryFolder());
    const { model, portfolio: _, ...shared } = parseConfig(treesConfig(source, { method: { name: 'smote-boost' } }));
    if (model.name !== 'trees') throw new Error('the test wants trees');
    const { learner, split, counts } = await setUpTraining(learnerConfig(shared, model), () => undefined, {});
    if (!(learner instanceof TreePlan)) throw new Error('the test wants trees');
    const { folds = new Int32Array(), labels, labelRows } = learner.data();
    const real = split.training.length;
    for (const member of [0, 1, 2]) {
      const own = [...labels.keys()].filter((row) => folds[row] === -2 - member);
      const seen = [...labels.keys()].filter((row) => row < real && folds[row] !== member);
      const [largest = 0, ...smaller] = [0, 1, 2].map((p) => seen.filter((row) => labels[row] === p).length);
      // Label rows of synthetic rows are behind those of real ones, and the same.
      const made = [3, 4, 5].map((p) => own.filter((row) => labels[row] === p).length);
      expect(made).toEqual([0, ...smaller.map((count) => 2 * (largest - count))]);
    }
    expect(labelRows?.rows.slice(9)).toEqual(labelRows?.rows.slice(0, 9));
    expect(learner.options.classShares).toEqual([1, 1, 1, 0.5, 0.5, 0.5]);
    expect(counts.training[0]).toBeGreaterThan(0);
    const { folds: none, labels: all } = learner.onAllRows().data();
    expect(none).toBeUndefined();
    expect(all.filter((label) => label > 2)).toHaveLength(
      2 * counts.training.reduce((sum, count) => sum + (counts.training[0] ?? 0) - count, 0),
    );
  });

  it.each(['focal', 'mean-square-error'] as const)('learns with the loss %s', async (name) => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const config = treesConfig(source, { loss: { name }, data: { source, target: 'class', testShare: 0 } });
    const { evaluation } = await train(config, { folder: join(folder, 'run'), importance: false });
    expect(evaluation.report.balancedAccuracy).toBeGreaterThan(0.55);
  });

  it.each(lastLayer)('refuses %s, which %s', async (name, what) => {
    const folder = await temporaryFolder();
    const config = treesConfig(await writeTable(folder), { method: { name } });
    const refused = train(config, { folder: join(folder, 'run') });
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(`the method "${name}" ${what} of a network`);
  });

  it.each<Partial<ConfigInput>>([
    { optimizer: { name: 'adamw', learningRate: 0.01 } },
    { schedule: { name: 'one-cycle' } },
    { batchSize: 32 },
  ])('refuses what only networks have: %o', async (options) => {
    const refused = train(treesConfig('table.csv', options), { folder: join(await temporaryFolder(), 'run') });
    await expect(refused).rejects.toThrow('expected none with model "trees": it is for networks');
  });

  it('refuses images', async () => {
    const folder = await temporaryFolder();
    const refused = train(
      { data: { source: 'mnist' }, model: { name: 'trees' }, folds: 1 },
      { folder: join(folder, 'run') },
    );
    await expect(refused).rejects.toThrow('model.name is "trees", which takes tables');
  });
});
