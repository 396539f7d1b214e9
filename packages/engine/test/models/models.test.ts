import { describe, expect, it } from 'vitest';
import { type Shape, sizeOf } from '../../src/graph/tensor.js';
import { createModel, type ModelName, models } from '../../src/models/registry.js';
import type { Mode, Model } from '../../src/network/network.js';
import { checkGradients } from '../network/checks.js';
import { buildNetwork, compile, firstValues, noise, resultOf } from '../network/run.js';

const MODES = ['training', 'inference'] as const;
const BATCH = 4;

/** A small input for every model; large models are built but not run. */
const cases: { readonly [Name in ModelName]: { readonly input: Shape; readonly runs: boolean } } = {
  mlp: { input: [30], runs: true },
  tabular: { input: [30], runs: true },
  lenet5: { input: [1, 28, 28], runs: true },
  resnet20: { input: [3, 8, 8], runs: true },
  resnet32: { input: [3, 8, 8], runs: true },
  resnet44: { input: [3, 8, 8], runs: true },
  resnet56: { input: [3, 8, 8], runs: true },
  resnet18: { input: [3, 64, 64], runs: false },
  resnet34: { input: [3, 64, 64], runs: false },
  vit: { input: [3, 16, 16], runs: true },
  eanet: { input: [3, 16, 16], runs: true },
};
const names = Object.keys(models).filter((name): name is ModelName => name in cases);

function built(model: Model, mode: Mode) {
  return buildNetwork(mode, [BATCH, ...model.input], (network, x) => model.build(network, x));
}

function parameterCount(model: Model): number {
  return built(model, 'training').network.parameters.reduce((sum, { tensor }) => sum + tensor.size, 0);
}

describe.each(names)('%s', (name) => {
  const { input } = cases[name];
  const model = createModel(name, { input, classes: 7 });

  it('knows its name, input and classes', () => {
    expect(model).toMatchObject({ name, input, classes: 7 });
  });

  it.each(MODES)('gives logits [batch, classes] in %s', (mode) => {
    expect(built(model, mode).y.shape).toEqual([BATCH, 7]);
  });

  it('asks for the same parameters and statistics in both modes', () => {
    const [training, inference] = MODES.map((mode) => built(model, mode).network);
    const kept = (network: typeof training) =>
      [...(network?.parameters ?? []), ...(network?.statistics ?? [])].map(({ name, tensor }) => [name, tensor.shape]);
    expect(kept(inference)).toEqual(kept(training));
    expect(training?.statistics.every(({ update }) => update !== null)).toBe(true);
    expect(inference?.statistics.every(({ update }) => update === null)).toBe(true);
  });

  it('lets weight decay pull at weights, not at biases, norms and positions', () => {
    for (const { name, decays } of built(model, 'training').network.parameters) {
      expect([name, decays]).toEqual([name, name.endsWith('/weight')]);
    }
  });

  it('ends with a batch norm on the logits, unless told otherwise', () => {
    const namesOf = (some: Model) => built(some, 'training').network.parameters.map((parameter) => parameter.name);
    const plain = namesOf(createModel(name, { input, classes: 7, logitNorm: false }));
    expect(plain.slice(-2)).toEqual(['classifier/weight', 'classifier/bias']);
    expect(namesOf(model)).toEqual([...plain, 'logitNorm/scale', 'logitNorm/shift']);
  });

  it('ends with cosines, without bias and norm, where it is told so', () => {
    const cosine = built(createModel(name, { input, classes: 7, classifier: 'cosine' }), 'training').network;
    expect(cosine.parameters.slice(-1).map((parameter) => parameter.name)).toEqual(['classifier/weight']);
    expect(cosine.statistics.some((statistic) => statistic.name.startsWith('logitNorm'))).toBe(false);
    expect(() => createModel(name, { input, classes: 7, classifier: 'cosine', logitNorm: true })).toThrow(
      `${name}: logitNorm is true; expected false with a cosine classifier, whose logits are bounded`,
    );
  });

  it('faults 6 and 7: starts with values that the seed decides', () => {
    const { network } = built(model, 'training');
    const small = network.parameters.filter(({ name: parameter }) => parameter.endsWith('classifier/weight'));
    expect(small).toHaveLength(1);
    const first = (seed: number) => firstValues({ ...network, parameters: small }, seed)['classifier/weight'];
    expect(first(1)).toEqual(first(1));
    expect(first(2)).not.toEqual(first(1));
  });

  it('refuses no classes, an input without sizes, and another input than its own', () => {
    expect(() => createModel(name, { input, classes: 0 })).toThrow(`${name}: classes is 0`);
    expect(() => createModel(name, { input: input.map(() => 0), classes: 2 })).toThrow(`${name}: input is [0`);
    const wrong = () => buildNetwork('training', [2, 5, 5], (network, x) => model.build(network, x));
    expect(wrong).toThrow(`${name}: expected float32[batch, ${input.join(', ')}], received float32[2, 5, 5]`);
  });
});

describe.each(names.filter((name) => cases[name].runs))('%s in ONNX Runtime', (name) => {
  const { input } = cases[name];
  const values = { input: noise(BATCH * sizeOf(input), 'x') };

  it('predicts numbers in inference, the same alone as in a batch', async () => {
    const model = createModel(name, { input, classes: 7 });
    const { network, y } = built(model, 'inference');
    const run = await compile(network.graph, { y });
    const first = firstValues(network);
    const result = resultOf(await run({ ...first, ...values }), 'y');
    expect(result.every(Number.isFinite)).toBe(true);

    const others = noise(values.input.length, 'others');
    others.set(values.input.subarray(0, sizeOf(input)));
    const again = resultOf(await run({ ...first, input: others }), 'y');
    for (let i = 0; i < 7; i++) expect(again[i]).toBeCloseTo(result[i] ?? Number.NaN, 4);
  });

  it.each([true, false])(
    'gives every parameter its gradient, as central differences find it (logitNorm %s)',
    async (logitNorm) => {
      const training = built(createModel(name, { input, classes: 7, logitNorm }), 'training');
      const check = await checkGradients(training, { ...firstValues(training.network), ...values });
      expect(check.notFinite).toEqual([]);
      expect(Math.abs(check.slopeRatio - 1)).toBeLessThan(0.02);
      // With the norm of the logits, what is added to all instances alike is taken away again, so that there it may vanish.
      if (!logitNorm) expect(check.vanishing.filter((parameter) => !isWithoutEffect(name, parameter))).toEqual([]);
    },
  );
});

/** External attention compares tokens by a softmax over them: what is added to all of them alike changes nothing. */
function isWithoutEffect(name: ModelName, parameter: string): boolean {
  return name === 'eanet' && parameter.endsWith('/attention/norm/shift');
}

describe('sizes', () => {
  const image = (channels: number, side: number): Shape => [channels, side, side];

  // LeNet-5 on MNIST, and the ResNets as torchvision and the CIFAR literature count them; batch norm's scale and shift
  // count, statistics do not. Those without a source are summed by hand in the comment.
  it.each([
    ['lenet5', image(1, 28), 10, 61_706],
    ['resnet20', image(3, 32), 10, 269_722],
    ['resnet32', image(3, 32), 10, 464_154],
    ['resnet44', image(3, 32), 10, 658_586],
    ['resnet56', image(3, 32), 10, 853_018],
    ['resnet18', image(3, 64), 1000, 11_689_512],
    ['resnet34', image(3, 64), 1000, 21_797_672],
    // 30·128+128 + 128·64+64 + 64·10+10
    ['mlp', [30], 10, 12_874],
    // patches 48·128+128, positions 64·128, 6 blocks of qkv 128·384+384, projection 128·128+128, perceptron
    // 128·256+256 + 256·128+128 and two norms of 2·128, last norm 2·128, classifier 128·10+10
    ['vit', image(3, 32), 10, 6_272 + 8_192 + 6 * (49_536 + 16_512 + 33_024 + 32_896 + 512) + 256 + 1_290],
    // the same with query 128·128 and memories 32·64 + 64·32 instead of qkv
    ['eanet', image(3, 32), 10, 6_272 + 8_192 + 6 * (16_384 + 4_096 + 16_512 + 33_024 + 32_896 + 512) + 256 + 1_290],
  ] as const)('%s on [%s] with %d classes has %d parameters', (name, input, classes, count) => {
    expect(parameterCount(createModel(name, { input, classes, logitNorm: false }))).toBe(count);
  });

  it('grow by two for each class with the norm of the logits', () => {
    expect(parameterCount(createModel('resnet32', { input: image(3, 32), classes: 10 }))).toBe(464_154 + 20);
  });
});

describe('createModel', () => {
  it('passes on what a model can be told', () => {
    const model = createModel('mlp', { input: [4], classes: 2, hidden: [8], dropout: 0.5, logitNorm: false });
    const { network } = built(model, 'training');
    expect(network.parameters.map(({ name }) => name)).toEqual([
      'hidden1/weight',
      'hidden1/bias',
      'classifier/weight',
      'classifier/bias',
    ]);
    expect(network.graph.nodes.some(({ operation }) => operation === 'dropoutMask')).toBe(true);
  });

  it('lists the names that it knows', () => {
    const unknown: ModelName = JSON.parse('"resnet33"');
    expect(() => createModel(unknown, { input: [3, 32, 32], classes: 10 })).toThrow(
      'model is "resnet33"; expected one of mlp, tabular, lenet5, resnet20, resnet32, resnet44, resnet56, resnet18, resnet34, vit, eanet',
    );
  });
});

describe('inputs', () => {
  it('of other sizes change the sizes of lenet5', () => {
    const { network, y } = built(createModel('lenet5', { input: [3, 32, 32], classes: 10 }), 'training');
    expect(y.shape).toEqual([BATCH, 10]);
    expect(network.parameters.find(({ name }) => name === 'fc1/weight')?.tensor.shape).toEqual([16 * 6 * 6, 120]);
    expect(built(createModel('lenet5', { input: [1, 12, 12], classes: 10 }), 'training').y.shape).toEqual([BATCH, 10]);
  });

  it('of odd sizes pass through the halvings of the ResNets', () => {
    for (const name of ['resnet20', 'resnet18'] as const) {
      expect(built(createModel(name, { input: [3, 37, 35], classes: 10 }), 'training').y.shape).toEqual([BATCH, 10]);
    }
  });

  it.each([
    ['lenet5', [1, 11, 28], 12],
    ['resnet32', [3, 3, 3], 4],
    ['resnet18', [3, 31, 64], 32],
    ['vit', [3, 2, 2], 4],
    ['lenet5', [784], 12],
  ] as const)('too small for %s are refused: [%s]', (name, input, least) => {
    expect(() => createModel(name, { input, classes: 10 })).toThrow(
      `${name}: input is [${input.join(', ')}]; expected images [channels, height, width] of at least ${least}×${least}`,
    );
  });

  it('and widths that do not divide are refused by vit and eanet', () => {
    expect(() => createModel('vit', { input: [3, 30, 32], classes: 10 })).toThrow(
      'vit: input is [3, 30, 32]; expected multiples of the patch size 4',
    );
    expect(() => createModel('eanet', { input: [3, 32, 32], classes: 10, width: 30 })).toThrow(
      'eanet: width is 30; expected a multiple of 4 heads',
    );
    expect(() => createModel('vit', { input: [3, 32, 32], classes: 10, depth: 0 })).toThrow(
      'vit: depth is 0; expected an integer of at least 1',
    );
  });
});

describe('mlp with categories', () => {
  const input = [4];
  const categories = [20, 40];
  const model = createModel('mlp', { input, classes: 3, hidden: [8], categories, logitNorm: false });
  const rows = Float32Array.of(0.5, -1, 2, 39, 1.5, 0, 0, 0, -0.5, 1, 1, 7, 0.1, 0.2, 2, 0);

  it('keeps a vector of min(16, ⌈1.6·size^0.56⌉) numbers for every category, beside the numbers', () => {
    // ⌈1.6·20^0.56⌉ = ⌈8.57⌉ and ⌈1.6·40^0.56⌉ = ⌈12.63⌉; 2 numbers + 9 + 13 = 24
    const shapes = built(model, 'training').network.parameters.map(({ name, tensor }) => [name, tensor.shape]);
    expect(shapes.slice(0, 3)).toEqual([
      ['category1/weight', [20, 9]],
      ['category2/weight', [40, 13]],
      ['hidden1/weight', [24, 8]],
    ]);
    const many = createModel('mlp', { input: [1], classes: 2, hidden: [], categories: [1000] });
    expect(built(many, 'training').network.parameters[0]?.tensor.shape).toEqual([1000, 16]);
  });

  it('has a column for each of up to eight categories', async () => {
    const few = createModel('mlp', { input: [2], classes: 2, hidden: [], categories: [3], logitNorm: false });
    const { network, y } = built(few, 'inference');
    expect(network.parameters.map(({ name, tensor }) => [name, tensor.shape])).toEqual([
      ['classifier/weight', [4, 2]],
      ['classifier/bias', [2]],
    ]);
    const run = await compile(network.graph, { y });
    const weight = Float32Array.of(10, 0, 1, 2, 3, 4, 5, 6);
    const input = Float32Array.of(0, 0, 0, 1, 0, 2, 1, 1);
    const result = await run({ 'classifier/weight': weight, 'classifier/bias': new Float32Array(2), input });
    expect([...resultOf(result, 'y')]).toEqual([1, 2, 3, 4, 5, 6, 13, 4]);
  });

  it('gives the vectors their gradients, as central differences find them', async () => {
    const training = built(model, 'training');
    const check = await checkGradients(training, { ...firstValues(training.network), input: rows });
    expect(check.notFinite).toEqual([]);
    expect(check.vanishing).toEqual([]);
    expect(Math.abs(check.slopeRatio - 1)).toBeLessThan(0.02);
  });

  it('predicts by the vector of the code, and by nothing else of its category', async () => {
    const { network, y } = built(model, 'inference');
    const run = await compile(network.graph, { y });
    const first = firstValues(network);
    const before = resultOf(await run({ ...first, input: rows }), 'y');
    const vectors = Float32Array.from(first['category1/weight'] ?? [], Number);
    // Code 2, which the first and the last row have.
    vectors.fill(9, 18, 27);
    const after = resultOf(await run({ ...first, 'category1/weight': vectors, input: rows }), 'y');
    const changed = Array.from({ length: BATCH }, (_, row) =>
      [0, 1, 2].some((c) => before[3 * row + c] !== after[3 * row + c]),
    );
    expect(changed).toEqual([true, false, false, true]);
  });

  it('works where all features are categories', () => {
    const only = createModel('mlp', { input: [2], classes: 3, hidden: [8], categories });
    const sizes = built(only, 'training').network.parameters.map(({ name, tensor }) => [name, tensor.shape]);
    expect(sizes).toContainEqual(['hidden1/weight', [22, 8]]);
  });

  it('refuses sizes that are none, and more of them than features', () => {
    expect(() => createModel('mlp', { input, classes: 3, categories: [0] })).toThrow(
      'mlp: a size in categories is 0; expected an integer of at least 1',
    );
    expect(() => createModel('mlp', { input: [1], classes: 3, categories })).toThrow(
      'mlp: categories has 2 sizes; expected at most 1, as the input has no more features',
    );
  });
});
