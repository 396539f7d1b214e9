import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type ConfigInput, openModel, openRun, type TrainingEvent, train } from '../../src/index.js';
import { type MethodName, methods } from '../../src/methods/registry.js';
import { dataFolder } from '../../src/sources/data-folder.js';
import { readMnist } from '../../src/sources/mnist.js';
import { readTableFile } from '../../src/sources/table-file.js';
import { temporaryFolder } from '../runs/examples.js';
import { CLASS_NAMES, filesOf, predictionsOf, tableConfig, writeTable } from './problem.js';

describe('a table with numbers, categories and missing values', () => {
  it('is learned: better than always the largest class, and all files are there', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const events: TrainingEvent[] = [];
    const config = tableConfig(await writeTable(folder), { epochs: 20 });
    const { evaluation, epochs, stoppedEarly } = await train(config, {
      folder: run,
      onEvent: (event) => events.push(event),
    });
    expect([epochs, stoppedEarly]).toEqual([20, false]);
    expect(evaluation.report.balancedAccuracy).toBeGreaterThan(0.6);
    expect(evaluation.weights).toEqual({ epoch: 19, chosen: 'last epoch' });
    expect(await filesOf(run)).toEqual([
      'checkpoints',
      'checkpoints/best.safetensors',
      'checkpoints/last.safetensors',
      'checkpoints/previous.safetensors',
      'classes.json',
      'config.json',
      'environment.json',
      'evaluation.json',
      'generator.jsonl',
      'importance.json',
      'metrics.jsonl',
      'model.onnx',
      'predictions.csv',
    ]);
    const importance = Array(5).fill('importance'); // before each of four columns, and after the last
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'steps' && kind !== 'checkpoint');
    expect(kinds).toEqual(['dataset', 'split', 'started', ...Array(20).fill('epoch'), ...importance, 'finished']);
    expect(JSON.parse(await readFile(join(run, 'evaluation.json'), 'utf8'))).toEqual(evaluation);
  });

  it('every metrics line says what its epoch was trained with and what came of it', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const data = { source: await writeTable(folder), target: 'class', giveBack: 1 };
    await train(tableConfig(data.source, { data, schedule: { name: 'constant' } }), { folder: run });
    const lines = (await readFile(join(run, 'metrics.jsonl'), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      [0, 1, 2, 3].map((epoch) => ({
        epoch,
        loss: expect.any(Number),
        learningRate: 0.01,
        validation: {
          softAccuracy: expect.any(Number),
          accuracy: expect.any(Number),
          softRecall: [expect.any(Number), expect.any(Number), expect.any(Number)],
        },
        generatorDiagonal: [expect.any(Number), expect.any(Number), expect.any(Number)],
      })),
    );
    const { validation, generatorDiagonal } = JSON.parse(lines[0] ?? '');
    const mean = validation.softRecall.reduce((a: number, b: number) => a + b, 0) / 3;
    expect(validation.softAccuracy).toBeCloseTo(mean, 12);
    // The network was asked before the first epoch too: its labels are no longer one-hot.
    expect(Math.min(...generatorDiagonal)).toBeGreaterThan(1);
  });

  it('Algorithm 1: the labels of every epoch follow from those before and from the soft recalls in between', async () => {
    const folder = await temporaryFolder();
    const [epsilon, mu] = [2.5, 0.3];
    const method = { name: 'enhancement', enhancementRate: epsilon, updatingRate: mu } as const;
    const data = { source: await writeTable(folder), target: 'class', giveBack: 1 };
    await train(tableConfig(data.source, { data, epochs: 6, method }), { folder: join(folder, 'run') });
    const run = await openRun(join(folder, 'run'));
    const metrics = await run.metrics();
    const generators = (await run.generators()).flatMap((line) => ('generator' in line ? [line] : []));
    expect(generators.map(({ epoch }) => epoch)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const [e, { generator }] of generators.entries()) {
      expect(metrics[e]?.generatorDiagonal).toEqual(generator.map((row, p) => row[p]));
      // Rows of C sum to 0, so those of G to 1.
      for (const row of generator) expect(row.reduce((sum, entry) => sum + entry, 0)).toBeCloseTo(1, 5);
      const next = generators[e + 1];
      if (next === undefined) continue;
      for (const [p, row] of next.generator.entries()) {
        const softRecall = metrics[e]?.validation?.softRecall[p] ?? Number.NaN;
        const expected = (1 - mu) * (generator[p]?.[p] ?? Number.NaN) + mu * (1 + epsilon * (1 - softRecall));
        // Matrices are stored in float32.
        expect(Math.abs((row[p] ?? Number.NaN) / expected - 1), `class ${p}, epoch ${e + 1}`).toBeLessThan(3e-7);
      }
    }
  });

  it.each(Object.keys(methods))('%s trains, and model.onnx predicts what the run says', async (name) => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const source = await writeTable(folder);
    const weighted: Partial<ConfigInput> =
      name === 'class-weights' ? { method: { name, weights: { plain: 5 } } } : { method: { name: methodName(name) } };
    const { data, ...networks } = tableConfig(source, { epochs: 1 });
    const trees = { model: { name: 'trees' as const }, folds: 3, epochs: 1, threads: 1 };
    const learner = methods[methodName(name)].treesOnly === true ? trees : networks;
    await train({ data, ...learner, ...weighted }, { folder: run });
    const [header, ...rows] = await predictionsOf(run);
    expect(header).toEqual(['instance', 'class', 'predicted', ...CLASS_NAMES.map((text) => `probability of ${text}`)]);
    const model = await openModel(join(run, 'model.onnx'));
    const all = await model.predictTable((await readTableFile(source, { target: 'class' })).columns);
    await model.close();
    expect(rows.length).toBeGreaterThan(30);
    for (const [instance, , predicted, ...probabilities] of rows) {
      const row = Number(instance) - 1;
      expect(predicted?.replace(/^'/, '')).toBe(all.labels[row]);
      probabilities.forEach((p, q) => {
        expect(Number(p)).toBeCloseTo(all.probabilities[3 * row + q] ?? Number.NaN, 4);
      });
    }
  });

  it('with early stopping, the weights are those of the best epoch by validation soft accuracy', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const config = tableConfig(await writeTable(folder), { epochs: 60, earlyStopping: { patience: 2 } });
    const { evaluation, epochs, stoppedEarly } = await train(config, { folder: run });
    const lines = (await readFile(join(run, 'metrics.jsonl'), 'utf8')).trim().split('\n');
    const softAccuracies: number[] = lines.map((line) => JSON.parse(line).validation.softAccuracy);
    const best = softAccuracies.indexOf(Math.max(...softAccuracies));
    expect(stoppedEarly).toBe(true);
    expect(epochs).toBe(best + 3);
    expect(evaluation.weights).toEqual({ epoch: best, chosen: 'best validation soft accuracy' });
  });

  it('an objective calibrates the probabilities and changes the answers, inside model.onnx as in all files', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder, [200, 60]);
    const config = tableConfig(source, { data: { source, target: 'class', validationPerClass: 20 }, epochs: 10 });
    const run = join(folder, 'run');
    const objective = {
      costs: [
        [0, 1],
        [20, 0],
      ],
    };
    const { evaluation } = await train({ ...config, decision: { objective } }, { folder: run });
    const plain = await train({ ...config, decision: { temperature: true } }, { folder: join(folder, 'plain') });
    expect(evaluation.decision.answers).toEqual({
      rule: {
        kind: 'costs',
        costs: [
          [0, 1],
          [20, 0],
        ],
      },
      reason: null,
    });
    expect(evaluation.decision.calibration).toEqual(plain.evaluation.decision.calibration);
    const model = await openModel(join(run, 'model.onnx'));
    const { labels } = await model.predictTable((await readTableFile(source, { target: 'class' })).columns);
    await model.close();
    const [, ...rows] = await predictionsOf(run);
    const predicted = rows.map((row) => row[2]?.replace(/^'/, ''));
    expect(predicted).toEqual(rows.map(([instance]) => labels[Number(instance) - 1]));
    // What costs twenty times as much happens less often.
    const found = ({ report }: typeof evaluation) => report.perClass[1]?.recall.value ?? Number.NaN;
    expect(found(evaluation)).toBeGreaterThan(found(plain.evaluation));
    const right = rows.filter(([, truth, answer]) => truth === answer).length;
    expect(evaluation.report.accuracy).toBeCloseTo(right / rows.length, 12);
    expect(evaluation.estimates.accuracy.value).toBe(evaluation.report.accuracy);
    // The probabilities are the same, and so is all that is measured of them.
    expect(evaluation.report.brier).toEqual(plain.evaluation.report.brier);
    expect(evaluation.report.calibration).toEqual(plain.evaluation.report.calibration);
    expect(evaluation.estimates.binary).toEqual(plain.evaluation.estimates.binary);
    const costOf = ([, alarms = 0, misses = 0]: readonly number[]) => alarms + 20 * misses;
    expect(evaluation.costs?.total).toBe(costOf(evaluation.report.confusionMatrix));
    expect(evaluation.costs?.likeliest.total).toBe(costOf(plain.evaluation.report.confusionMatrix));
    expect(evaluation.costs?.mean.value).toBeCloseTo((evaluation.costs?.total ?? 0) / rows.length, 12);
  });

  it('a small table gets a smaller batch, and is told so', async () => {
    const folder = await temporaryFolder();
    const run = join(folder, 'run');
    const source = await writeTable(folder);
    const { notes } = await train(tableConfig(source, { epochs: 1, batchSize: 128 }), { folder: run });
    // 144 rows are not for testing; a quarter of the rest, as a power of two, are 32.
    expect(notes).toContainEqual(expect.stringMatching(/^A step takes 32 instances instead of 128: an epoch has 129/));
    expect(JSON.parse(await readFile(join(run, 'environment.json'), 'utf8'))).toMatchObject({ batchSize: 32 });
  });

  it('a model without batch norm before the softmax gets a warning with enhancement, and none without', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const notesWith = async (name: 'enhancement' | 'one-hot') => {
      const config = tableConfig(source, { epochs: 1, model: { name: 'mlp', logitNorm: false }, method: { name } });
      return (await train(config, { folder: join(folder, name) })).notes;
    };
    const warning = expect.stringMatching(/no batch normalisation before the softmax .* grow without bound/);
    expect(await notesWith('enhancement')).toContainEqual(warning);
    expect(await notesWith('one-hot')).not.toContainEqual(warning);
  });
});

it('yeast.csv trains with nothing but its target', async (ctx) => {
  const source = join(dataFolder(), 'tabular', 'yeast.csv');
  if (!existsSync(source)) ctx.skip(`${source} is not there; EVENHAND_DATA names the folder with the data sets`);
  const folder = join(await temporaryFolder(), 'run');
  const { evaluation } = await train({ data: { source, target: 'class' } }, { folder });
  expect(evaluation.report.balancedAccuracy).toBeGreaterThan(0.4);
});

describe('images', () => {
  it('a folder of PNG files trains, with augmentation, and model.onnx predicts its files', async () => {
    const folder = await temporaryFolder();
    const images = join(folder, 'digits');
    await writeDigits(images, [40, 20, 12]);
    const run = join(folder, 'run');
    const augmentation = { padding: 2, flip: false };
    const { evaluation } = await train(
      {
        data: { source: images },
        model: { name: 'lenet5' },
        augmentation,
        epochs: 6,
        batchSize: 16,
        optimizer: { name: 'adamw', learningRate: 0.01 },
        threads: 1,
      },
      { folder: run },
    );
    expect(evaluation.report.balancedAccuracy).toBeGreaterThan(0.6);
    const [, ...rows] = await predictionsOf(run);
    const model = await openModel(join(run, 'model.onnx'));
    const { labels } = await model.predictImages(rows.map(([file = '']) => join(images, file)));
    await model.close();
    expect(rows.map(([, , predicted]) => predicted)).toEqual(labels);
  });

  it('long-tailed MNIST trains LeNet-5', async () => {
    const folder = join(await temporaryFolder(), 'run');
    const { evaluation } = await train(
      {
        data: { source: 'mnist', imbalance: { kind: 'mnist-long-tail' } },
        optimizer: { name: 'sgd', learningRate: 0.01 },
        epochs: 1,
        threads: 2,
      },
      { folder },
    );
    expect(evaluation.report.instances).toBe(10_000);
    expect(evaluation.report.accuracy).toBeGreaterThan(0.4);
  });
});

function methodName(name: string): MethodName {
  const found = Object.values(methods).find((method) => method.name === name);
  if (found === undefined) throw new Error(`no method ${name}`);
  return found.name;
}

/** Images of the first digits as PNG files, one folder a digit. */
async function writeDigits(folder: string, counts: readonly number[]): Promise<void> {
  const { labels, pixels } = await readMnist();
  for (const [digit, count] of counts.entries()) {
    await mkdir(join(folder, String(digit)), { recursive: true });
    const places = [...labels.keys()].filter((place) => labels[place] === digit).slice(0, count);
    for (const place of places) {
      const raw = { width: 28, height: 28, channels: 1 as const };
      await sharp(pixels.subarray(784 * place, 784 * (place + 1)), { raw })
        .toColourspace('b-w')
        .png()
        .toFile(join(folder, String(digit), `${place}.png`));
    }
  }
}
