import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ConfigInput,
  type Dataset,
  DivergedError,
  InterruptedError,
  openRun,
  resume,
  type TrainingEvent,
  train,
} from '../../src/index.js';
import { readMnist } from '../../src/sources/mnist.js';
import { temporaryFolder } from '../runs/examples.js';
import { NETWORK_RESULTS, resultsOf, tableConfig, writeTable } from './problem.js';

/** Trains until an event, then stops as if somebody had pressed Ctrl-C. */
async function interrupted(
  config: ConfigInput,
  folder: string,
  when: (event: TrainingEvent) => boolean,
  data: { readonly dataset?: Dataset } = {},
) {
  const request = new AbortController();
  const onEvent = (event: TrainingEvent) => {
    if (when(event)) request.abort(new InterruptedError('SIGINT'));
  };
  await expect(train(config, { folder, onEvent, signal: request.signal, ...data })).rejects.toThrow(
    'interrupted by SIGINT',
  );
}

/** The events of a run that goes on. */
async function resumedEvents(folder: string): Promise<TrainingEvent[]> {
  const events: TrainingEvent[] = [];
  await resume(folder, { onEvent: (event) => events.push(event) });
  return events;
}

describe('a run that was interrupted and goes on', () => {
  it.each(['enhancement', 'over-sampling', 'smote', 'balanced-mixup'] as const)(
    'fault 4: after two of four epochs with %s, comes to the same bytes as one that was not',
    async (name) => {
      const folder = await temporaryFolder();
      const config = tableConfig(await writeTable(folder), { method: { name } });
      await train(config, { folder: join(folder, 'whole') });
      await interrupted(config, join(folder, 'parts'), (event) => event.kind === 'epoch' && event.metrics.epoch === 1);
      const events = await resumedEvents(join(folder, 'parts'));
      expect(events.find(({ kind }) => kind === 'started')).toMatchObject({ epoch: 2, step: 0 });
      expect(await resultsOf(join(folder, 'parts'))).toEqual(await resultsOf(join(folder, 'whole')));
    },
  );

  it('fault 4: in the middle of an epoch with automatic rates, comes to the same bytes', async () => {
    const folder = await temporaryFolder();
    const method = { name: 'enhancement', enhancementRate: 'auto', updatingRate: 'auto' } as const;
    const config = tableConfig(await writeTable(folder, [1500, 500, 100]), { method });
    await train(config, { folder: join(folder, 'whole') });
    await interrupted(config, join(folder, 'parts'), (event) => event.kind === 'steps' && event.epoch === 1);
    await resume(join(folder, 'parts'));
    expect(await resultsOf(join(folder, 'parts'))).toEqual(await resultsOf(join(folder, 'whole')));
    const lines = await (await openRun(join(folder, 'parts'))).generators();
    // In the last epoch the held-out rows train too, with the labels of the one before.
    expect(lines).toHaveLength(4);
    for (const { enhancementRate, updatingRate } of lines.slice(0, 3)) {
      expect(enhancementRate).toBeGreaterThan(0);
      expect(updatingRate).toHaveLength(3);
    }
  });

  it('fault 5: in the middle of an epoch, skips and repeats no step', async () => {
    const folder = await temporaryFolder();
    const config = tableConfig(await writeTable(folder, [1500, 500, 100]));
    await train(config, { folder: join(folder, 'whole') });
    await interrupted(config, join(folder, 'parts'), (event) => event.kind === 'steps' && event.epoch === 1);
    const saved = await (await openRun(join(folder, 'parts'))).checkpoint('last');
    const { epoch, step } = saved?.checkpoint.progress ?? {};
    expect(epoch).toBe(1);
    expect(step).toBeGreaterThan(0);
    const events = await resumedEvents(join(folder, 'parts'));
    expect(events.find(({ kind }) => kind === 'started')).toMatchObject({ epoch, step });
    expect(await resultsOf(join(folder, 'parts'))).toEqual(await resultsOf(join(folder, 'whole')));
  });

  it('fault 5: images are augmented in the same way after the pause', async () => {
    const folder = await temporaryFolder();
    const { officialTest: _, ...mnist } = await readMnist();
    const dataset = { ...mnist, labels: mnist.labels.slice(0, 400), pixels: mnist.pixels.slice(0, 400 * 784) };
    const config: ConfigInput = { data: { source: 'mnist' }, augmentation: {}, epochs: 2, batchSize: 4, threads: 1 };
    await train(config, { folder: join(folder, 'whole'), dataset });
    const parts = join(folder, 'parts');
    await interrupted(config, parts, (event) => event.kind === 'steps' && event.epoch === 1, { dataset });
    expect((await (await openRun(parts)).checkpoint('last'))?.checkpoint.progress.step).toBeGreaterThan(0);
    await resume(parts, { dataset });
    const inFolder = (of: string) => resultsOf(join(folder, of), NETWORK_RESULTS);
    expect(await inFolder('parts')).toEqual(await inFolder('whole'));
  });

  it('fault 4: with early stopping, stops where it would have', async () => {
    const folder = await temporaryFolder();
    const config = tableConfig(await writeTable(folder), { epochs: 60, earlyStopping: { patience: 2 } });
    await train(config, { folder: join(folder, 'whole') });
    await interrupted(config, join(folder, 'parts'), (event) => event.kind === 'epoch' && event.metrics.epoch === 2);
    await resume(join(folder, 'parts'));
    expect(await resultsOf(join(folder, 'parts'))).toEqual(await resultsOf(join(folder, 'whole')));
  });

  it('a complete run is only evaluated again', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    await train(tableConfig(await writeTable(folder), { epochs: 2 }), { folder: run });
    const before = await resultsOf(run);
    const events = await resumedEvents(run);
    expect(events.some(({ kind }) => kind === 'steps')).toBe(false);
    expect(await resultsOf(run)).toEqual(before);
  });

  it('fault 10: an interruption before anything was trained leaves nothing behind', async () => {
    const folder = await temporaryFolder();
    const config = tableConfig(await writeTable(folder));
    const signal = AbortSignal.abort(new InterruptedError('SIGTERM'));
    await expect(train(config, { folder: join(folder, 'run'), signal })).rejects.toThrow('interrupted by SIGTERM');
    await expect(openRun(join(folder, 'run'))).rejects.toThrow('is not a run');
  });
});

describe('seeds', () => {
  it('fault 6: the same seed twice gives the same bytes', async () => {
    const folder = await temporaryFolder();
    const config = tableConfig(await writeTable(folder), { epochs: 2, seed: 7 });
    await train(config, { folder: join(folder, 'a') });
    await train(config, { folder: join(folder, 'b'), checkpointSeconds: 0 });
    expect(await resultsOf(join(folder, 'b'))).toEqual(await resultsOf(join(folder, 'a')));
  });

  it('fault 7: two seeds give different weights on the same split', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    for (const seed of [1, 2]) {
      await train(tableConfig(source, { epochs: 1, seed }), { folder: join(folder, String(seed)) });
    }
    const [a, b] = [await resultsOf(join(folder, '1')), await resultsOf(join(folder, '2'))];
    const instances = (csv = '') => csv.split('\n').map((line) => line.split(',')[0]);
    expect(instances(b.get('predictions.csv'))).toEqual(instances(a.get('predictions.csv')));
    for (const name of ['metrics.jsonl', 'predictions.csv', 'model.onnx', 'checkpoints/last.safetensors']) {
      expect(b.get(name)).not.toBe(a.get(name));
    }
  });
});

describe('fault 8: resume with something else', () => {
  async function twoEpochs(): Promise<{ folder: string; run: string; config: ConfigInput; source: string }> {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const [run, config] = [join(folder, 'run'), tableConfig(source)];
    await interrupted(config, run, (event) => event.kind === 'epoch' && event.metrics.epoch === 1);
    return { folder, run, config, source };
  }

  it('another configuration is refused with the difference, and trains if that is overridden', async () => {
    const { run, config } = await twoEpochs();
    const other = { ...config, epochs: 3, seed: 5 };
    await expect(resume(run, { config: other })).rejects.toThrow(
      /was trained with something else:\n {2}epochs: 4 in the run, 3 now\n {2}seed: 0 in the run, 5 now\n/,
    );
    expect((await resume(run, { config: other, override: true })).epochs).toBe(3);
    expect((await openRun(run)).config.seed).toBe(5);
  });

  it('what is overridden takes effect with the next checkpoint; until then the run is what it was', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const config = tableConfig(await writeTable(folder), {
      model: { name: 'mlp', hidden: [4], logitNorm: false },
      optimizer: { name: 'sgd', learningRate: 0.01 },
    });
    await train(config, { folder: run });
    const before = await resultsOf(run);
    const wild = { ...config, epochs: 9, optimizer: { name: 'sgd' as const, learningRate: 1e30 } };
    await expect(resume(run, { config: wild, override: true })).rejects.toThrow(DivergedError);
    expect(existsSync(join(run, 'evaluation.json'))).toBe(true);
    await resume(run);
    expect(await resultsOf(run)).toEqual(before);
    const stop = new AbortController();
    const onEvent = ({ kind }: TrainingEvent) => {
      if (kind === 'checkpoint') stop.abort(new InterruptedError('SIGINT'));
    };
    const longer = { ...config, epochs: 9 };
    const stopped = resume(run, { config: longer, override: true, onEvent, signal: stop.signal });
    await expect(stopped).rejects.toThrow('interrupted');
    expect((await openRun(run)).config.epochs).toBe(9);
    expect(existsSync(join(run, 'evaluation.json'))).toBe(false);
    expect((await resume(run)).epochs).toBe(9);
  });

  it('in the middle of an epoch, continues at the same fraction of it when epochs have more steps', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const config = tableConfig(await writeTable(folder, [1500, 500, 100]), { epochs: 2 });
    await interrupted(config, run, (event) => event.kind === 'steps' && event.epoch === 1);
    const { step = 0 } = (await (await openRun(run)).checkpoint('last'))?.checkpoint.progress ?? {};
    const events: TrainingEvent[] = [];
    const onEvent = (event: TrainingEvent) => events.push(event);
    await resume(run, { config: { ...config, batchSize: 4 }, override: true, onEvent });
    const started = events.find(({ kind }) => kind === 'started');
    if (started?.kind !== 'started') throw new Error('expected that training started');
    expect(Math.abs(started.step - 2 * step)).toBeLessThanOrEqual(2);
    const losses = (await (await openRun(run)).metrics()).map(({ loss }) => loss);
    expect(losses[1]).toBeLessThan(losses[0] ?? Number.NaN); // not a sum of one length divided by another
    expect(await (await openRun(run)).generators()).toHaveLength(2);
  });

  it('with another split, a note says that the test set may have been trained on', async () => {
    const { run, config } = await twoEpochs();
    const data = { ...config.data, splitSeed: 9 };
    const { notes } = await resume(run, { config: { ...config, data }, override: true });
    expect(notes).toContainEqual(expect.stringContaining('the test set may have instances now that were trained on'));
  });

  it('an override that leaves nothing to train is the run from then on', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const config = tableConfig(await writeTable(folder));
    await train(config, { folder: run });
    await resume(run, { config: { ...config, decision: { temperature: true } }, override: true });
    expect((await resume(run)).evaluation.decision.calibration).not.toBeNull();
  });

  it('other data is refused, and trains if that is overridden', async () => {
    const { run, source } = await twoEpochs();
    await appendFile(source, '0.5,0.5,red,yes,plain\n');
    await expect(resume(run)).rejects.toThrow(/the data: content [0-9a-f]{12}… in the run, [0-9a-f]{12}… now/);
    expect((await resume(run, { override: true })).epochs).toBe(4);
  });

  it('another model is refused even then: the checkpoint does not fit it', async () => {
    const { run, config } = await twoEpochs();
    const other = { ...config, model: { name: 'mlp' as const, hidden: [8] } };
    await expect(resume(run, { config: other, override: true })).rejects.toThrow(
      /^the checkpoint of .* does not fit the model: .*hidden1/,
    );
    expect((await resume(run)).epochs).toBe(4);
  });

  it('another version or machine is reported', async () => {
    const { run } = await twoEpochs();
    const file = join(run, 'environment.json');
    const environment = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...environment, onnxRuntime: '1.0.0' }));
    const { notes } = await resume(run);
    expect(notes).toContainEqual(expect.stringMatching(/different environment .* \(onnxRuntime 1\.0\.0 then, /));
  });
});

describe('fault 14: a loss that is not a number', () => {
  it('stops with step, instances and advice; the last good checkpoint is kept, and nothing is saved as best', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const source = await writeTable(folder);
    const config = tableConfig(source, {
      model: { name: 'mlp', hidden: [16], logitNorm: false },
      optimizer: { name: 'sgd', learningRate: 0.01 },
      schedule: { name: 'constant' },
    });
    await interrupted(config, run, (event) => event.kind === 'epoch' && event.metrics.epoch === 1);
    const before = await Promise.all(
      ['last', 'best'].map((name) => readFile(join(run, `checkpoints/${name}.safetensors`))),
    );
    const wild = { ...config, optimizer: { name: 'sgd' as const, learningRate: 1e30 } };
    const error: unknown = await resume(run, { config: wild, override: true, checkpointSeconds: 0 }).catch((e) => e);
    expect(error).toBeInstanceOf(DivergedError);
    if (!(error instanceof DivergedError)) return;
    expect(error.divergence.epoch).toBe(2);
    expect(error.divergence.instances).toHaveLength(8);
    expect(error.message).toMatch(
      /^training diverged in epoch 3, step \d+: .*; expected finite numbers\. The batch has the instances \d+, \d+.* Nothing of it was saved\. Look for absurd values in them, or lower optimizer\.learningRate, or lower method\.enhancementRate, or set model\.logitNorm to true/,
    );
    const after = await Promise.all(
      ['last', 'best'].map((name) => readFile(join(run, `checkpoints/${name}.safetensors`))),
    );
    expect(after.map((bytes, i) => bytes.equals(before[i] ?? Buffer.alloc(0)))).toEqual([true, true]);
  });
});
