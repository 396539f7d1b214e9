import { InferenceSession } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../src/graph/graph.js';
import { crossEntropy } from '../../src/losses/cross-entropy.js';
import type { Loss } from '../../src/losses/loss.js';
import { mlp } from '../../src/models/mlp.js';
import { pack } from '../../src/models/pack.js';
import { ones, zeros } from '../../src/network/initialisers.js';
import type { Model, Network } from '../../src/network/network.js';
import { mul } from '../../src/operations/arithmetic.js';
import { batchNorm } from '../../src/operations/batch-normalisation.js';
import { linear } from '../../src/operations/matmul.js';
import { mean } from '../../src/operations/reductions.js';
import { reshape } from '../../src/operations/reshape.js';
import { adamw } from '../../src/optimizers/adam.js';
import type { Optimizer } from '../../src/optimizers/optimizer.js';
import { sgd } from '../../src/optimizers/sgd.js';
import { createProgram } from '../../src/training/create-program.js';
import type { ProgramOptions } from '../../src/training/program-options.js';
import { draw, drawLabels, generatorMatrix, tiny } from './golden.js';
import { known, trainer } from './run.js';

const BATCH = 8;
const LABELS = drawLabels('labels', BATCH, 4);
const INPUT = Float32Array.from(draw('input', BATCH * 6));
const DEFAULTS: ProgramOptions = {
  batchSize: BATCH,
  evaluationBatch: BATCH,
  loss: crossEntropy,
  optimizer: sgd({ momentum: 0.9 }),
  labels: 'indices',
  seed: 7,
};

const program = (options: Partial<ProgramOptions> = {}, model = tiny) =>
  createProgram(model, { ...DEFAULTS, ...options });

/** The loss of the first step, in which all weights are as the seed made them. */
async function firstLoss(
  options: Partial<ProgramOptions>,
  feeds: Parameters<Awaited<ReturnType<typeof trainer>>['step']>[0],
) {
  const { step } = await trainer(program(options));
  return step({ input: INPUT, learningRate: [0.1], ...feeds });
}

const oneHot = LABELS.flatMap((label) => [0, 1, 2, 3].map((k) => (k === label ? 1 : 0)));

describe('a program', () => {
  it('has models that take and give exactly what it says, whatever the optimizer needs', async () => {
    for (const optimizer of [sgd(), adamw()]) {
      const made = program({ optimizer, labels: 'indices-with-generator' });
      const training = await InferenceSession.create(made.training);
      const state = [...new Set(made.state.map(({ vector }) => vector))];
      const feeds = ['input', 'labels', 'generator', 'learningRate', 'step'];
      expect(made.feeds.map(({ name }) => name)).toEqual(feeds);
      expect([...training.inputNames].sort()).toEqual([...feeds, ...state].sort());
      expect([...training.outputNames].sort()).toEqual(['loss', ...state.map((name) => `next/${name}`)].sort());
      const inference = await InferenceSession.create(made.inference);
      expect([...inference.inputNames].sort()).toEqual(['input', 'parameters', 'statistics']);
      expect(inference.outputNames).toEqual(['probabilities']);
    }
  });

  it('says shapes and types of what is fed', () => {
    expect(program({ labels: 'rows', inputType: 'uint8' }).feeds).toEqual([
      { name: 'input', shape: [BATCH, 6], type: 'uint8' },
      { name: 'labelRows', shape: [BATCH, 4], type: 'float32' },
      { name: 'learningRate', shape: [], type: 'float32' },
      { name: 'step', shape: [], type: 'int64' },
    ]);
    const { evaluationBatch: _, ...options } = DEFAULTS;
    expect(createProgram(tiny, options).input).toEqual({ name: 'input', shape: [256, 6], type: 'float32' });
  });

  it('is plain data that can be sent to another thread', () => {
    const made = program();
    expect(structuredClone(made)).toEqual(made);
  });

  it('faults 6 and 7: is decided by its options: the same seed the same bytes, another seed other weights', () => {
    expect(program()).toEqual(program());
    const [one, other] = [program(), program({ seed: 8 })];
    expect(one.state[0]?.initial).not.toEqual(other.state[0]?.initial);
    expect(one.training).toEqual(other.training);
  });

  it('names what the optimizer keeps after kind and parameter, zero at first', () => {
    const slots = program().state.filter(({ kind }) => kind === 'slot');
    expect(slots.map(({ name }) => name)).toContain('slot/momentum/logitNorm/scale');
    expect(slots.every(({ initial }) => initial.every((value) => value === 0))).toBe(true);
  });
});

describe('labels', () => {
  it('as indices are one-hot rows', async () => {
    const byIndices = await firstLoss({}, { labels: LABELS });
    expect(await firstLoss({ labels: 'rows' }, { labelRows: oneHot })).toBe(byIndices);
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    expect(await firstLoss({ labels: 'indices-with-generator' }, { labels: LABELS, generator: identity })).toBe(
      byIndices,
    );
  });

  it('as indices with a generator matrix are its rows', async () => {
    const generator = generatorMatrix(4);
    const labelRows = LABELS.flatMap((label) => generator.slice(4 * label, 4 * label + 4));
    const byGenerator = await firstLoss({ labels: 'indices-with-generator' }, { labels: LABELS, generator });
    expect(byGenerator).toBe(await firstLoss({ labels: 'rows' }, { labelRows }));
    expect(byGenerator).not.toBe(await firstLoss({}, { labels: LABELS }));
  });

  it('weigh what their class weighs', async () => {
    const ofClass = (weight: number) => firstLoss({ classWeights: [weight, 0, 0, 0] }, { labels: LABELS });
    expect(await ofClass(0)).toBeCloseTo(0, 10);
    expect(await ofClass(3)).toBeCloseTo(3 * (await ofClass(1)), 5);
    const all = await firstLoss({ classWeights: [2, 2, 2, 2] }, { labels: LABELS });
    expect(all).toBeCloseTo(2 * (await firstLoss({}, { labels: LABELS })), 5);
  });
});

describe('class weights that are fed', () => {
  const classWeights = [0.5, 3, 0, 1.25];

  it('are a feed of their own, between labels and learning rate', () => {
    const { feeds } = program({ classWeights: 'fed', labels: 'indices-with-generator' });
    expect(feeds.map(({ name }) => name)).toEqual([
      'input',
      'labels',
      'generator',
      'classWeights',
      'learningRate',
      'step',
    ]);
    expect(feeds[3]).toEqual({ name: 'classWeights', shape: [4], type: 'float32' });
  });

  it('do what the same weights do inside the program', async () => {
    const inside = await firstLoss({ classWeights }, { labels: LABELS });
    expect(await firstLoss({ classWeights: 'fed' }, { labels: LABELS, classWeights })).toBe(inside);
  });

  it('may change from step to step', async () => {
    const { step } = await trainer(program({ classWeights: 'fed' }));
    const feeds = { input: INPUT, labels: LABELS, learningRate: [0] };
    const [once, twice] = [
      await step({ ...feeds, classWeights: [1, 1, 1, 1] }),
      await step({ ...feeds, classWeights: [2, 2, 2, 2] }),
    ];
    expect(twice).toBeCloseTo(2 * once, 5);
  });
});

describe('instance weights that are fed', () => {
  const zeros = LABELS.map(() => 0);
  /** The weight of one instance; those of the others are 0. */
  const only = (instance: number, weight: number) => LABELS.map((_, i) => (i === instance ? weight : 0));
  const loss = (instanceWeights: readonly number[]) =>
    firstLoss({ instanceWeights: 'fed' }, { labels: LABELS, instanceWeights: [...instanceWeights] });

  it('are a feed of their own, with one number per instance', () => {
    const { feeds } = program({ classWeights: 'fed', instanceWeights: 'fed' });
    expect(feeds.find(({ name }) => name === 'instanceWeights')).toEqual({
      name: 'instanceWeights',
      shape: [LABELS.length],
      type: 'float32',
    });
  });

  it('multiply the loss of each instance: together they are the loss of all, and 0 leaves one out', async () => {
    const all = await firstLoss({}, { labels: LABELS });
    expect(await loss(zeros.map(() => 1))).toBeCloseTo(all, 6);
    const alone = await Promise.all(zeros.map((_, i) => loss(only(i, 1))));
    expect(alone.reduce((sum, one) => sum + one, 0)).toBeCloseTo(all, 5);
    expect(await loss(only(2, 3))).toBeCloseTo(3 * (alone[2] ?? 0), 5);
    expect(await loss(zeros)).toBeCloseTo(0, 10);
  });

  it('work on top of class weights, and with label rows', async () => {
    const classWeights = [0.5, 3, 0, 1.25];
    const both = await firstLoss(
      { instanceWeights: 'fed', classWeights: 'fed' },
      { labels: LABELS, classWeights, instanceWeights: only(0, 2) },
    );
    expect(both).toBeCloseTo(2 * (classWeights[LABELS[0] ?? 0] ?? 0) * (await loss(only(0, 1))), 5);
    const labelRows = LABELS.flatMap((label) => [0, 1, 2, 3].map((q) => (q === label ? 1 : 0)));
    const byRows = await firstLoss(
      { instanceWeights: 'fed', labels: 'rows' },
      { labelRows, instanceWeights: only(1, 1) },
    );
    expect(byRows).toBeCloseTo(await loss(only(1, 1)), 6);
  });
});

describe('logit offsets that are fed', () => {
  const none = Array.from({ length: 16 }, () => 0);

  it('are a feed of their own, behind the class weights', () => {
    const { feeds } = program({ classWeights: 'fed', logitOffsets: 'fed' });
    expect(feeds.map(({ name }) => name)).toEqual([
      'input',
      'labels',
      'classWeights',
      'logitOffsets',
      'learningRate',
      'step',
    ]);
    expect(feeds[3]).toEqual({ name: 'logitOffsets', shape: [4, 4], type: 'float32' });
  });

  it('of 0 change nothing, and neither do those that are equal for all classes', async () => {
    const without = await firstLoss({}, { labels: LABELS });
    expect(await firstLoss({ logitOffsets: 'fed' }, { labels: LABELS, logitOffsets: none })).toBe(without);
    const equal = none.map((_, i) => Math.floor(i / 4) + 1);
    expect(await firstLoss({ logitOffsets: 'fed' }, { labels: LABELS, logitOffsets: equal })).toBeCloseTo(without, 5);
  });

  it('are added by the class of the instance: one that makes a class look sure costs nothing, the reverse the offset', async () => {
    const towards = (size: number) => none.map((_, i) => (i % 5 === 0 ? size : 0));
    const loss = (size: number) => firstLoss({ logitOffsets: 'fed' }, { labels: LABELS, logitOffsets: towards(size) });
    expect(await loss(100)).toBeCloseTo(0, 6);
    // −log softmax of a logit that is far behind falls by 1 with each 1 that it is raised.
    expect((await loss(-60)) - (await loss(-50))).toBeCloseTo(10, 3);
  });

  it('are not known to inference', () => {
    expect(program({ logitOffsets: 'fed' }).inference).toEqual(program().inference);
  });
});

describe('what a loss is told beside logits and labels', () => {
  const model = mlp({ input: [6], classes: 4, hidden: [5] });

  it('is what the classifier takes, with an axis for the networks of a pack', () => {
    const shapes: (readonly number[] | undefined)[] = [];
    const loss: Loss = (logits, rows, weights, context) => {
      shapes.push(context?.features?.shape);
      return crossEntropy(logits, rows, weights);
    };
    program({ loss }, model);
    program({ loss }, pack(model, 3));
    program({ loss }); // a model of one's own says nothing of it
    expect(shapes).toEqual([[BATCH, 5], [3, BATCH, 5], undefined]);
  });

  it('is a number that is fed, where that is wanted', async () => {
    const loss: Loss = (logits, rows, weights, context) =>
      mul(crossEntropy(logits, rows, weights), known(context?.blend, 'blend'));
    const whole = await firstLoss({}, { labels: LABELS });
    const options = { loss, lossBlend: 'fed' } as const;
    expect(await firstLoss(options, { labels: LABELS, lossBlend: [0.25] })).toBeCloseTo(whole / 4, 6);
    expect(() => program({ loss })).toThrow('blend');
  });
});

describe('a rate of the layers before the classifier that is fed', () => {
  const model = mlp({ input: [6], classes: 4, hidden: [5], logitNorm: false });
  const after = async (bodyRate: number | undefined, optimizer: Optimizer) => {
    const rate = bodyRate === undefined ? {} : ({ bodyRate: 'fed' } as const);
    const { step, state } = await trainer(program({ ...rate, optimizer }, model));
    for (let i = 0; i < 3; i++) {
      const fed = bodyRate === undefined ? {} : { bodyRate: [bodyRate] };
      await step({ input: INPUT, labels: LABELS, learningRate: [0.1], ...fed });
    }
    return new Map(Object.entries(state));
  };

  it.each([
    ['SGD', sgd({ momentum: 0.9, weightDecay: 0.1 })],
    ['AdamW', adamw({ weightDecay: 0.1 })],
  ])(
    'of 0 freezes them to the last bit, momentum and decay included, and 1 changes nothing, with %s',
    async (_, optimizer) => {
      const [plain, whole, frozen] = [
        await after(undefined, optimizer),
        await after(1, optimizer),
        await after(0, optimizer),
      ];
      const first = new Map(program({ optimizer }, model).state.map(({ name, initial }) => [name, initial]));
      for (const [name, values] of plain) {
        if (name.startsWith('slot/')) continue;
        expect(whole.get(name), name).toEqual(values);
        if (name.startsWith('classifier/')) expect(frozen.get(name), name).not.toEqual(first.get(name));
        else expect(frozen.get(name), name).toEqual(first.get(name));
      }
    },
  );
});

describe('inputs', () => {
  const normalisation = { mean: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], std: [0.2, 0.3, 0.4, 0.5, 0.6, 0.7] };
  const bytes = Uint8Array.from(INPUT, (value) => Math.floor((value + 1) * 128));
  const prepared = (values: Float32Array | Uint8Array, unit: number) =>
    Float32Array.from(
      values,
      (value, i) => (value * unit - known(normalisation.mean[i % 6])) / known(normalisation.std[i % 6]),
    );

  it.each([
    ['bytes are seen as x/255', { inputType: 'uint8' }, bytes, Float32Array.from(bytes, (value) => value / 255)],
    ['bytes are normalised after that', { inputType: 'uint8', normalisation }, bytes, prepared(bytes, 1 / 255)],
    ['floats are normalised as they are', { normalisation }, INPUT, prepared(INPUT, 1)],
  ] as const)('%s, in training and inference', async (_, options, input, seen) => {
    const [inside, outside] = await Promise.all([trainer(program(options)), trainer(program())]);
    const rest = { labels: LABELS, learningRate: [0.1] };
    expect(await inside.step({ input, ...rest })).toBeCloseTo(await outside.step({ input: seen, ...rest }), 5);
    const [received, expected] = [await inside.probabilities(input), await outside.probabilities(seen)];
    received.forEach((value, i) => {
      expect(value).toBeCloseTo(known(expected[i]), 4);
    });
  });

  it('of images are normalised by channel', async () => {
    const pixels: Model = {
      name: 'sum of channels',
      input: [2, 1, 2],
      classes: 2,
      build: (network, x) => {
        const bias = network.parameter('bias', [2], zeros);
        const weight = x.graph.constant(Float32Array.of(1, 0, 1, 0, 0, 1, 0, 1), [4, 2]);
        return linear(reshape(x, [x.size / 4, 4]), weight, bias);
      },
    };
    const { probabilities } = await trainer(
      program({ evaluationBatch: 1, normalisation: { mean: [1, 10], std: [2, 5] } }, pixels),
    );
    // logits (3−1 + 5−1)/2 = 3 and (10−10 + 15−10)/5 = 1
    const [first] = await probabilities([3, 5, 10, 15]);
    expect(first).toBeCloseTo(1 / (1 + Math.exp(-2)), 6);
  });
});

describe('training', () => {
  it('learns', async () => {
    const { step, probabilities } = await trainer(program());
    const feeds = { input: INPUT, labels: LABELS, learningRate: [0.1] };
    const first = await step(feeds);
    for (let t = 1; t < 60; t++) await step(feeds);
    expect(await step(feeds)).toBeLessThan(first / 4);
    const y = await probabilities(INPUT);
    const right = LABELS.filter((label, i) => known(y[4 * i + label]) === Math.max(...y.slice(4 * i, 4 * i + 4)));
    expect(right.length).toBe(BATCH);
  });

  it('leaves parameters where they are at a rate of 0, but not the running statistics', async () => {
    const made = program();
    const { step, state } = await trainer(made);
    await step({ input: INPUT, labels: LABELS, learningRate: [0] });
    for (const { name, kind, initial } of made.state) {
      if (kind === 'parameter') expect(state[name]).toEqual(initial);
      else expect(state[name]).not.toEqual(initial);
    }
  });

  it('drops other activations at every step and with every seed, and the same ones again when asked again', async () => {
    const model = mlp({ input: [6], classes: 4, hidden: [32], dropout: 0.5 });
    const lossAt = async (count: number, seed: number) => {
      // Weights of one seed, random keys of another.
      const { state } = program({ seed: 1 }, model);
      const { step } = await trainer({ ...program({ seed }, model), state });
      return step({ input: INPUT, labels: LABELS, learningRate: [0.1], step: [count] });
    };
    const first = await lossAt(0, 1);
    expect(await lossAt(0, 1)).toBe(first);
    expect(await lossAt(1, 1)).not.toBe(first);
    expect(await lossAt(0, 2)).not.toBe(first);
  });
});

describe('createProgram refuses', () => {
  it.each<[string, Partial<ProgramOptions>]>([
    ['batchSize is 0; expected a positive integer', { batchSize: 0 }],
    ['evaluationBatch is 1.5; expected a positive integer', { evaluationBatch: 1.5 }],
    ['seed is NaN; expected an integer', { seed: Number.NaN }],
    ['classWeights has 2 numbers; expected 4, one for each class', { classWeights: [1, 2] }],
    ['classWeights[3] is -1; expected a number from 0', { classWeights: [1, 2, 3, -1] }],
    [
      "classWeights need an instance's class, which labels: 'rows' does not say; feed indices instead",
      { classWeights: [1, 1, 1, 1], labels: 'rows' },
    ],
    [
      "classWeights need an instance's class, which labels: 'rows' does not say; feed indices instead",
      { classWeights: 'fed', labels: 'rows' },
    ],
    [
      "logitOffsets need an instance's class, which labels: 'rows' does not say; feed indices instead",
      { logitOffsets: 'fed', labels: 'rows' },
    ],
    [
      'normalisation.mean has 1 numbers; expected 6, one for each channel',
      { normalisation: { mean: [0], std: [1, 1, 1, 1, 1, 1] } },
    ],
    [
      'normalisation.std[5] is 0; expected a number above 0',
      { normalisation: { mean: [0, 0, 0, 0, 0, 0], std: [1, 1, 1, 1, 1, 0] } },
    ],
  ])('%s', (message, options) => {
    expect(() => program(options)).toThrow(new RangeError(message));
  });

  it('a model that builds other weights for inference', () => {
    const fickle: Model = {
      ...tiny,
      build: (network, x) => network.scope(network.mode, () => tiny.build(network, x)),
    };
    expect(() => program({}, fickle)).toThrow(
      'the model builds "training/hidden/weight" differently for training and for inference; expected the same',
    );
  });
});

describe('a program of a model with', () => {
  const features = 6;
  const hidden = 5;
  const rows = (name: string, size: number) => () => Float32Array.from(draw(name, size));

  /** Two hidden layers, each normalised by a scale that the model chooses. */
  const normalised = (scaleOf: (network: Network, name: string) => Tensor): Model => ({
    ...{ name: 'normalised', input: [features], classes: 4 },
    build: (network, x) => {
      const layer = (name: string, input: Tensor, width: number) =>
        linear(input, network.parameter(name, [input.shape[1] ?? 0, width], rows(name, (input.shape[1] ?? 0) * width)));
      const norm = (name: string, input: Tensor) => {
        const shift = network.graph.constant(new Float32Array(hidden));
        return batchNorm(input, scaleOf(network, name), shift, 1e-5).y;
      };
      const first = norm('scale1', layer('first', x, hidden));
      return layer('third', norm('scale2', layer('second', first, hidden)), 4);
    },
  });

  it('norms that share a scale, has the gradients of one whose norms do not', async () => {
    const constant = normalised(({ graph }) => graph.constant(new Float32Array(hidden).fill(1)));
    const own = normalised((network, name) => network.parameter(name, [hidden], ones));
    const weights = await Promise.all(
      [constant, own].map(async (model) => {
        const { step, state } = await trainer(program({}, model));
        await step({ input: INPUT, labels: LABELS, learningRate: [0.1] });
        return ['first', 'second', 'third'].flatMap((name) => [...known(state[name])]);
      }),
    );
    const [shared, apart] = [known(weights[0]), known(weights[1])];
    for (const [i, weight] of shared.entries()) expect(weight).toBeCloseTo(known(apart[i]), 5);
  });

  it('a statistic of several axes, averages it', async () => {
    const observing: Model = {
      ...{ name: 'observing', input: [features], classes: 4 },
      build: (network, x) => {
        const statistic = network.statistic('mean', [1, features], 0);
        network.statistic('another', [2], 0);
        if (network.mode === 'training') {
          statistic.update = { observed: mean(x, { axes: [0], keepAxes: true }), factor: 1, share: 0.5 };
        }
        return linear(x, network.parameter('weight', [features, 4], rows('weight', features * 4)));
      },
    };
    const { step, state } = await trainer(program({}, observing));
    for (let i = 0; i < 2; i++) await step({ input: INPUT, labels: LABELS, learningRate: [0.1] });
    const first = INPUT.filter((_, i) => i % features === 0).reduce((sum, value) => sum + value, 0) / BATCH;
    expect(known(state.mean)[0]).toBeCloseTo(0.75 * first, 5);
  });
});
