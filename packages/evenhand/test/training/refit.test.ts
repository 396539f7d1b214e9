import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@evenhand/engine';
import { Trainer } from '@evenhand/engine/node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import { learnerConfig } from '../../src/config/schema.js';
import { type ConfigInput, openModel, openRun, resume, type TrainingEvent, train, UserError } from '../../src/index.js';
import { writeReport } from '../../src/report/write-report.js';
import { epochBatches } from '../../src/training/epoch-batches.js';
import { NetworkPlan } from '../../src/training/learners/network-plan.js';
import { rowsOfNetworks } from '../../src/training/rows-of-networks.js';
import { setUpTraining } from '../../src/training/set-up.js';
import { Child } from '../runs/child-process.js';
import { temporaryFolder } from '../runs/examples.js';
import { NETWORK_RESULTS, predictionsOf, resultsOf, tableConfig, writeTable } from './problem.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A pack that is soon worse out of fold than it was: its best epoch is not its last. */
function overfitting(source: string, options: Partial<ConfigInput> = {}): ConfigInput {
  return tableConfig(source, {
    folds: 3,
    refit: true,
    epochs: 24,
    optimizer: { name: 'adamw', learningRate: 0.05 },
    earlyStopping: { patience: 3 },
    ...options,
  });
}

function portfolioConfig(source: string, options: Partial<ConfigInput> = {}): ConfigInput {
  return {
    data: { source, target: 'class' },
    model: { name: 'auto' },
    folds: 3,
    refit: true,
    epochs: 8,
    threads: 1,
    portfolio: [
      { name: 'linear', model: { name: 'mlp', hidden: [], logitNorm: false }, schedule: { name: 'cosine' } },
      { name: 'tabular', model: { name: 'tabular', hidden: [16] } },
    ],
    ...options,
  };
}

async function setUp(config: ConfigInput) {
  const { model, portfolio: _, ...shared } = parseConfig(config);
  if (model.name === 'auto') throw new Error('the test wants one network');
  const { learner, ...setup } = await setUpTraining(learnerConfig(shared, model), () => undefined, {});
  if (!(learner instanceof NetworkPlan)) throw new Error('the test wants a network');
  return { ...setup, program: learner.program };
}

/** The files of a refit that do not depend on when it was interrupted. */
async function refitOf(run: string): Promise<Map<string, string>> {
  const names = ['config.json', 'metrics.jsonl', 'generator.jsonl', 'checkpoints/last.safetensors'];
  const read = async (name: string) => [name, (await readFile(join(run, 'refit', name))).toString('hex')] as const;
  return new Map(await Promise.all(names.map(read)));
}

const linesOf = async (...path: string[]) => (await readFile(join(...path), 'utf8')).split(/(?<=\n)/);

/** Trains until a refit has done its first steps, then stops. */
async function stoppedInRefit(config: ConfigInput, folder: string): Promise<void> {
  const stop = new AbortController();
  let isRefit = false;
  const onEvent = (event: TrainingEvent) => {
    if (event.kind === 'started') isRefit = event.refit === true;
    if (event.kind === 'steps' && isRefit && event.epoch === 1) stop.abort(new Error('stopped in the refit'));
  };
  await expect(train(config, { folder, signal: stop.signal, onEvent })).rejects.toThrow('stopped in the refit');
}

describe('a refit', () => {
  it('is trained for as many epochs as were best out of fold, with the labels and learning rates of these', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const config = overfitting(await writeTable(folder), { method: { name: 'enhancement' } });
    const { evaluation, epochs } = await train(config, { folder: run });
    const found = evaluation.weights.epoch + 1;
    expect(found).toBeLessThan(epochs); // else this shows nothing
    expect(evaluation.weights.chosen).toBe('lowest balanced log-loss out of fold');
    expect(evaluation.refit).toEqual({ rows: evaluation.counts.training.reduce((a, b) => a + b), epochs: found });
    await expect((await openRun(run)).evaluation()).resolves.toMatchObject({ refit: evaluation.refit });
    expect(await linesOf(run, 'refit', 'generator.jsonl')).toEqual(
      (await linesOf(run, 'generator.jsonl')).slice(0, found),
    );
    const rates = async (of: string) => (await (await openRun(of)).metrics()).map(({ learningRate }) => learningRate);
    const [first, again] = [await rates(run), await rates(join(run, 'refit'))];
    expect(again).toHaveLength(found);
    for (const [epoch, rate] of again.entries()) expect(rate).toBeCloseTo(first[epoch] ?? -1, 12);
  });

  it('has all training rows in the batches of every network', async () => {
    const folder = await temporaryFolder();
    const { dataset, split } = await setUp(overfitting(await writeTable(folder)));
    const rows = rowsOfNetworks(split, { leaveOutFolds: false });
    const { of, batchSize, stepsPerEpoch } = epochBatches(dataset.labels, rows, { seed: 0, batchSize: 8 });
    expect(stepsPerEpoch).toBe(Math.ceil(split.training.length / batchSize));
    const seen = Array.from({ length: 3 }, () => new Set<number>());
    for (const batch of of(0)) {
      for (const [i, instance] of batch.entries()) seen[Math.floor(i / batchSize)]?.add(instance);
    }
    for (const rows of seen) expect([...rows].sort((a, b) => a - b)).toEqual([...split.training]);
  });

  it('teaches the only row of a class to the network too that left it out', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const source = await writeTable(folder, [40, 20, 1]);
    const config = tableConfig(source, {
      folds: 3,
      refit: true,
      epochs: 40,
      model: { name: 'mlp', hidden: [32] },
      method: { name: 'inverse-frequency' },
      data: { source, target: 'class', testShare: 0 },
    });
    await train(config, { folder: run });
    const { program, instances, split } = await setUp(config);
    const only = split.training.findIndex((instance) => instances.labels[instance] === 2);
    const leftOutBy = split.folds?.[only] ?? -1;
    const { classes, evaluationBatch, pack } = program;
    const trainer = await Trainer.start(program, { threads: 1 });
    try {
      /** What each network gives the class of the row. */
      const given = async (of: string) => {
        const last = await (await openRun(of)).checkpoint('last');
        if (last === undefined) throw new Error('no checkpoint');
        await trainer.load(last.checkpoint.state);
        const same = new Int32Array(evaluationBatch).fill(split.training[only] ?? -1);
        const outputs = await trainer.predict(instances.inputs(same));
        return Array.from({ length: pack }, (_, m) => outputs[((m * evaluationBatch) / pack) * classes + 2] ?? -1);
      };
      for (const [network, probability] of (await given(run)).entries()) {
        if (network === leftOutBy) expect(probability).toBeLessThan(0.5);
        else expect(probability).toBeGreaterThan(0.5);
      }
      for (const probability of await given(join(run, 'refit'))) expect(probability).toBeGreaterThan(0.5);
    } finally {
      await trainer.close();
    }
  });

  it('changes the model, and no estimate out of fold', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const data = { source, target: 'class', testShare: 0 };
    const { refit: _, ...without } = overfitting(source, { data });
    const plain = await train(without, { folder: join(folder, 'plain') });
    const refitted = await train({ ...without, refit: true }, { folder: join(folder, 'refitted') });
    const { refit, ...same } = refitted.evaluation;
    expect(refit).toMatchObject({ rows: 180 });
    expect(same).toEqual(plain.evaluation);
    const [before, after] = [await resultsOf(join(folder, 'plain')), await resultsOf(join(folder, 'refitted'))];
    for (const name of ['predictions.csv', 'metrics.jsonl', 'generator.jsonl'])
      expect([name, after.get(name)]).toEqual([name, before.get(name)]);
    expect(after.get('model.onnx')).not.toBe(before.get('model.onnx'));
  });

  it('is what the test set is predicted with, and what is exported', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const run = join(folder, 'run');
    const { refit: _, ...without } = overfitting(source);
    await train({ ...without, refit: true }, { folder: run });
    await train(without, { folder: join(folder, 'plain') });
    expect(await predictionsOf(run)).not.toEqual(await predictionsOf(join(folder, 'plain')));
    const model = await openModel(join(run, 'model.onnx'));
    const { probabilities } = await model.predictFile(source);
    const [, ...rows] = await predictionsOf(run);
    for (const [row = '', ...cells] of rows) {
      for (const [q, text] of cells.slice(-3).entries())
        expect(Number(text)).toBeCloseTo(probabilities[(Number(row) - 1) * 3 + q] ?? 2, 5);
    }
    await model.close();
  });

  it('fault 4: comes to the same bytes after a pause in its middle', async () => {
    const folder = await temporaryFolder();
    const config = overfitting(await writeTable(folder), { method: { name: 'enhancement' } });
    await train(config, { folder: join(folder, 'whole') });
    await stoppedInRefit(config, join(folder, 'parts'));
    await resume(join(folder, 'parts'));
    expect(await resultsOf(join(folder, 'parts'))).toEqual(await resultsOf(join(folder, 'whole')));
    expect(await refitOf(join(folder, 'parts'))).toEqual(await refitOf(join(folder, 'whole')));
  });

  it('is told of in the report and the model card', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const { evaluation } = await train(overfitting(await writeTable(folder)), { folder: run });
    const page = await readFile(await writeReport(run), 'utf8');
    const told = `The model was refitted on all 144 training rows for ${evaluation.weights.epoch + 1} epochs.`;
    expect(page).toContain(told);
    expect(page).toContain('The dashed line is the epoch up to which the model was refitted.');
    expect(await readFile(join(run, 'model-card.md'), 'utf8')).toContain(told);
  });

  it('tells its steps, and no validation result of its epochs', async () => {
    const folder = await temporaryFolder();
    const events: TrainingEvent[] = [];
    const { epochs } = await train(overfitting(await writeTable(folder)), {
      folder: join(folder, 'run'),
      onEvent: (event) => events.push(event),
    });
    const started = events.filter((event) => event.kind === 'started');
    expect(started.map(({ refit }) => refit)).toEqual([undefined, true]);
    expect(started[1]?.stepsPerEpoch).toBeGreaterThan(started[0]?.stepsPerEpoch ?? 0);
    const measured = events.flatMap((event) => (event.kind === 'epoch' ? [event.metrics.validation !== null] : []));
    expect(measured.filter(Boolean)).toHaveLength(epochs);
    expect(measured.slice(0, epochs).every(Boolean)).toBe(true);
    expect(measured.length).toBeGreaterThan(epochs);
    expect(existsSync(join(folder, 'run', 'refit', 'checkpoints', 'best.safetensors'))).toBe(false);
  });

  it('begins anew where training went on with something else', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const config = tableConfig(await writeTable(folder), { folds: 3, refit: true, epochs: 3 });
    await train(config, { folder: run });
    const { evaluation } = await resume(run, { config: { ...config, epochs: 5 }, override: true });
    expect(evaluation.refit).toMatchObject({ epochs: 5 });
    expect((await openRun(join(run, 'refit'))).config.epochs).toBe(5);
    expect(await linesOf(run, 'refit', 'generator.jsonl')).toEqual(await linesOf(run, 'generator.jsonl'));
  });

  it.each([
    ['one pack', overfitting],
    ['a portfolio', portfolioConfig],
  ])('can be asked for when training in folds is over: %s', async (_, configOf) => {
    const folder = await temporaryFolder();
    const config = configOf(await writeTable(folder));
    const { refit, ...without } = config;
    await train(config, { folder: join(folder, 'whole') });
    await train(without, { folder: join(folder, 'later') });
    await resume(join(folder, 'later'), { config, override: true });
    for (const name of ['config.json', 'evaluation.json', 'predictions.csv', 'model.onnx']) {
      const isSame = (await readFile(join(folder, 'later', name))).equals(await readFile(join(folder, 'whole', name)));
      expect([name, isSame]).toEqual([name, true]);
    }
  });
});

describe('the model of the folds stays, and the result says why,', () => {
  it('where the time was over before the refit began', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const config = overfitting(await writeTable(folder), { time: 1e-3 });
    const { evaluation } = await train(config, { folder: run });
    const refit = { skipped: 'the time of 0.001 s was over before it began' };
    expect(evaluation.refit).toEqual(refit);
    expect(existsSync(join(run, 'refit'))).toBe(false);
    expect((await resume(run)).evaluation.refit).toEqual(refit);
  });

  it('where the time was over before the refit ended, also for whoever goes on later', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const { refit: _, ...without } = overfitting(await writeTable(folder), { time: 600 });
    const now = performance.now.bind(performance);
    const onEvent = (event: TrainingEvent) => {
      if (event.kind === 'started' && event.refit) vi.spyOn(performance, 'now').mockImplementation(() => now() + 6e5);
    };
    const { evaluation } = await train({ ...without, refit: true }, { folder: run, onEvent });
    const skipped = expect.stringMatching(/^the time of 600 s was over after 1 of its \d+ epochs$/);
    expect(evaluation.refit).toEqual({ skipped });
    vi.restoreAllMocks();
    const before = await resultsOf(run);
    await resume(run);
    expect(await resultsOf(run)).toEqual(before);
    await train(without, { folder: join(folder, 'plain') });
    expect(before.get('model.onnx')).toBe((await resultsOf(join(folder, 'plain'))).get('model.onnx'));
  });

  it('where the refit diverged', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const config = overfitting(await writeTable(folder), { method: { name: 'enhancement' } });
    const stop = new AbortController();
    const onEvent = (event: TrainingEvent) => {
      if (event.kind === 'started' && event.refit) stop.abort(new Error('stopped'));
    };
    await expect(train(config, { folder: run, signal: stop.signal, onEvent })).rejects.toThrow('stopped');
    const file = join(run, 'generator.jsonl');
    const [first = '', ...others] = await linesOf(file);
    await writeFile(file, first.replace(/"generator":\[\[[^,]+/, '"generator":[[3e38') + others.join(''));
    const { evaluation } = await resume(run);
    expect(evaluation.refit).toEqual({ skipped: 'its training diverged in epoch 1' });
  });
});

describe('refuses', () => {
  it('a refit without folds, and leaves the option out where it is not given', () => {
    const config = (options: Partial<ConfigInput>) => parseConfig(tableConfig('table.csv', options));
    expect(() => config({ refit: true })).toThrow(UserError);
    expect(() => config({ refit: true })).toThrow(
      'refit is true; expected false, or folds of at least 2: without folds',
    );
    expect(config({ refit: false }).refit).toBe(false);
    expect('refit' in config({ folds: 3 })).toBe(false);
    const complete = config({ folds: 3, refit: true });
    expect(complete.refit).toBe(true);
    expect(parseConfig(complete)).toEqual(complete);
  });

  it('a refit whose labels are not kept whole, before anything is trained', async () => {
    const folder = await temporaryFolder();
    const source = join(folder, 'many.csv');
    const rows = Array.from({ length: 3 * 130 }, (_, i) => `${i},${i % 7},class ${i % 130}\n`);
    await writeFile(source, `x,y,class\n${rows.join('')}`);
    const config = overfitting(source, { method: { name: 'enhancement' } });
    await expect(train(config, { folder: join(folder, 'run') })).rejects.toThrow(
      'refit is true, but of the labels that the method "enhancement" measures only a part is kept with 130 classes',
    );
    expect(existsSync(join(folder, 'run'))).toBe(false);
  });
});

describe('a portfolio', () => {
  it('refits its members that have a share, and keeps weights and estimates', async () => {
    const folder = await temporaryFolder();
    const { refit: _, ...without } = portfolioConfig(await writeTable(folder));
    const plain = await train(without, { folder: join(folder, 'plain') });
    const run = join(folder, 'run');
    const { evaluation } = await train({ ...without, refit: true }, { folder: run });
    expect(evaluation.portfolio?.map(({ refit: _, ...member }) => member)).toEqual(plain.evaluation.portfolio);
    expect(evaluation.decision).toEqual(plain.evaluation.decision);
    const rows = evaluation.counts.training.reduce((a, b) => a + b);
    for (const { name, weight, refit } of evaluation.portfolio ?? []) {
      const { weights } = await (await openRun(join(run, 'members', name))).evaluation();
      expect([name, refit]).toEqual([name, weight > 0 ? { rows, epochs: weights.epoch + 1 } : undefined]);
      expect(existsSync(join(run, 'members', name, 'refit'))).toBe(weight > 0);
    }
    expect(evaluation.portfolio?.some(({ refit }) => refit !== undefined)).toBe(true);
    expect(await readFile(join(run, 'model.onnx'))).not.toEqual(await readFile(join(folder, 'plain', 'model.onnx')));
  });
});

const TRAINING = `
  const [mode, folder, config] = process.argv.slice(1);
  const { train, resume } = await import(dist + 'index.js');
  const say = (text) => process.stdout.write(text + '\\n');
  const options = { checkpointSeconds: 0.01, onEvent: ({ kind, refit }) => kind === 'started' && say(refit ? 'refit' : 'started') };
  await (mode === 'train' ? train(JSON.parse(config), { folder, ...options }) : resume(folder, options));
  say('complete');
`;

const KILLS = Math.min(Number(process.env.EVENHAND_KILLS ?? 2), 20);

it(`faults 4 and 5: killed at ${KILLS} random moments, a portfolio with a refit comes to the same bytes as one that was not`, {
  timeout: 180_000,
}, async () => {
  const folder = await temporaryFolder();
  const config = portfolioConfig(await writeTable(folder, [600, 200, 60]), { method: { name: 'enhancement' } });
  const start = performance.now();
  const { evaluation } = await train(config, { folder: join(folder, 'whole') });
  const longest = (2 * (performance.now() - start)) / (KILLS + 1);
  const random = seededRandom(5, 'kills');
  const run = join(folder, 'run');
  for (let kill = 0; kill < KILLS; kill++) {
    const mode = existsSync(join(run, 'config.json')) ? 'resume' : 'train';
    const child = new Child(TRAINING, [mode, run, JSON.stringify(config)]);
    await child.said(kill < KILLS / 2 ? 'started' : 'refit');
    await sleep(random() * longest * (kill < KILLS / 2 ? 1 : 0.3));
    child.kill('SIGKILL');
    const { signal, output } = await child.ended();
    expect(signal === 'SIGKILL' || output.endsWith('complete\n'), output).toBe(true);
  }
  await resume(run);
  for (const { name, refit } of evaluation.portfolio ?? []) {
    const inside = (of: string) => join(folder, of, 'members', name);
    expect(await resultsOf(inside('run'), NETWORK_RESULTS)).toEqual(await resultsOf(inside('whole'), NETWORK_RESULTS));
    if (refit !== undefined) expect(await refitOf(inside('run'))).toEqual(await refitOf(inside('whole')));
  }
  for (const name of ['evaluation.json', 'importance.json', 'predictions.csv', 'model.onnx']) {
    const isSame = (await readFile(join(run, name))).equals(await readFile(join(folder, 'whole', name)));
    expect([name, isSame]).toEqual([name, true]);
  }
});
