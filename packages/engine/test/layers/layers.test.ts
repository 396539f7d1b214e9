import { describe, expect, it } from 'vitest';
import { gradients } from '../../src/differentiation/gradients.js';
import { Graph } from '../../src/graph/graph.js';
import {
  categoricalEmbedding,
  conv2d,
  cosineLinear,
  dropoutLayer,
  flatten,
  linear,
  maxPool,
  patchEmbedding,
  residual,
} from '../../src/layers/index.js';
import { Network } from '../../src/network/network.js';
import { sum } from '../../src/operations/reductions.js';
import { buildNetwork, compile, firstValues, largestDifference, noise, resultOf } from '../network/run.js';

describe('linear', () => {
  it('multiplies by the weights and adds the bias, on the last axis', async () => {
    const { network, y } = buildNetwork('inference', [1, 2, 2], (n, x) => linear(n, x, { name: 'fc', units: 3 }));
    const run = await compile(network.graph, { y });
    const result = await run({
      input: Float32Array.of(1, 2, 3, 4),
      'fc/weight': Float32Array.of(1, 0, 2, 0, 1, -1),
      'fc/bias': Float32Array.of(10, 20, 30),
    });
    expect(resultOf(result, 'y')).toEqual(Float32Array.of(11, 22, 30, 13, 24, 32));
  });

  it('starts weight and bias within ±1/√features', () => {
    const { network } = buildNetwork('training', [2, 100], (n, x) => linear(n, x, { name: 'fc', units: 200 }));
    const values = firstValues(network);
    for (const name of ['fc/weight', 'fc/bias']) {
      const largest = Array.from(values[name] ?? [], Number).reduce(
        (most, value) => Math.max(most, Math.abs(value)),
        0,
      );
      expect(largest).toBeLessThanOrEqual(0.1 + 1e-6);
      expect(largest).toBeGreaterThan(0.09);
    }
  });

  it('has first values that do not depend on the layers beside it', () => {
    const alone = buildNetwork('training', [2, 3], (n, x) => linear(n, x, { name: 'second', units: 3 }));
    const beside = buildNetwork('training', [2, 3], (n, x) =>
      linear(n, linear(n, x, { name: 'first', units: 3 }), { name: 'second', units: 3 }),
    );
    const [a, b] = [firstValues(alone.network), firstValues(beside.network)];
    expect(b['second/weight']).toEqual(a['second/weight']);
    expect(b['first/weight']).not.toEqual(a['second/weight']);
    expect(firstValues(alone.network, 2)['second/weight']).not.toEqual(a['second/weight']);
  });

  it('does not take a name twice', () => {
    const twice = () =>
      buildNetwork('training', [2, 3], (n, x) =>
        linear(n, linear(n, x, { name: 'fc', units: 3 }), { name: 'fc', units: 3 }),
      );
    expect(twice).toThrow('input "fc/weight" is there already');
  });
});

describe('cosineLinear', () => {
  const build = () => buildNetwork('training', [3, 2], (n, x) => cosineLinear(n, x, { name: 'fc', units: 3 }));
  // 3-4-5 and 5-12-13 triangles, the second instance ten times the first; the third has no direction
  const input = Float32Array.of(3, 4, 30, 40, 0, 0);
  const weight = Float32Array.of(5, 0, -6, 12, 2, -8);

  it('gives the cosine of the angle to every column, however long the two are', async () => {
    const { network, y } = build();
    const result = resultOf(await (await compile(network.graph, { y }))({ input, 'fc/weight': weight }), 'y');
    const cosines = [(3 * 5 + 4 * 12) / (5 * 13), 4 / 5, -1];
    expect(largestDifference(result, [...cosines, ...cosines, 0, 0, 0])).toBeLessThan(1e-6);
  });

  it('has a gradient of numbers for an input without direction', async () => {
    const { network, x, y } = build();
    const [slope] = gradients(sum(y), [x]);
    if (slope === undefined) throw new Error('there is no gradient');
    const run = await compile(network.graph, { slope });
    expect(resultOf(await run({ input, 'fc/weight': weight }), 'slope').every(Number.isFinite)).toBe(true);
  });

  it('starts with columns of length 1, on average', () => {
    const { network } = buildNetwork('training', [2, 100], (n, x) => cosineLinear(n, x, { name: 'fc', units: 200 }));
    const values = Array.from(firstValues(network)['fc/weight'] ?? [], Number);
    expect(values.reduce((total, value) => total + value ** 2, 0) / 200).toBeCloseTo(1, 1);
  });
});

describe('conv2d', () => {
  it('asks for channels that the groups can share', () => {
    const build = () =>
      buildNetwork('training', [1, 3, 4, 4], (n, x) =>
        conv2d(n, x, { name: 'conv', channels: 4, kernel: 1, groups: 2 }),
      );
    expect(build).toThrow('conv: 3 channels in and 4 out; expected multiples of 2 groups');
  });
});

describe('dropoutLayer', () => {
  const build = (mode: 'training' | 'inference', rate: number) =>
    buildNetwork(mode, [4, 1000], (n, x) => dropoutLayer(n, x, { rate }));

  it('adds nothing in inference, nor at rate 0', () => {
    for (const { x, y } of [build('inference', 0.5), build('training', 0)]) expect(y).toBe(x);
  });

  it('drops its share in training and scales what stays', async () => {
    const { network, y } = build('training', 0.25);
    const run = await compile(network.graph, { y });
    const result = resultOf(await run({ key: BigInt64Array.of(3n), input: new Float32Array(4000).fill(3) }), 'y');
    expect(new Set(result)).toEqual(new Set([0, 4]));
    expect(Math.abs(result.filter((value) => value === 0).length / 4000 - 0.25)).toBeLessThan(0.03);
  });

  it('drops other activations at another key, and in another layer', async () => {
    const { network, y } = buildNetwork('training', [1000], (n, x) => dropoutLayer(n, x, { rate: 0.5 }));
    const other = dropoutLayer(network, y, { rate: 0.5 });
    const run = await compile(network.graph, { y, other });
    const input = new Float32Array(1000).fill(1);
    const first = await run({ key: BigInt64Array.of(1n), input });
    const second = await run({ key: BigInt64Array.of(2n), input });
    const dropped = (values: Float32Array) => values.filter((value) => value === 0).length;
    expect(resultOf(second, 'y')).not.toEqual(resultOf(first, 'y'));
    expect(Math.abs(dropped(resultOf(first, 'other')) - 750)).toBeLessThan(60);
  });

  it('says what is missing without a random key', () => {
    const graph = new Graph();
    const network = new Network(graph, 'training');
    const x = graph.input('x', [2, 3]);
    expect(() => network.scope('block1', () => dropoutLayer(network, x, { rate: 0.1 }))).toThrow(
      'block1/dropout: dropout at rate 0.1 needs random numbers, but the network has no randomKey',
    );
  });

  it.each([-0.1, 1, Number.NaN])('does not take %s for a rate', (rate) => {
    expect(() => build('training', rate)).toThrow(`dropout: rate is ${rate}; expected a number from 0 to below 1`);
  });
});

describe('patchEmbedding', () => {
  it('is a convolution whose kernels are as far apart as they are wide', async () => {
    const options = { name: 'patches', size: 2, width: 5 };
    const { network, x, y } = buildNetwork('inference', [2, 3, 4, 6], (n, image) => patchEmbedding(n, image, options));
    const convolved = conv2d(network, x, { name: 'conv', channels: 5, kernel: 2, stride: 2 });
    const run = await compile(network.graph, { y, convolved });
    const weight = noise(12 * 5, 'w');
    const bias = noise(5, 'b');
    const result = await run({
      input: noise(144, 'x'),
      'patches/weight': weight,
      'patches/bias': bias,
      'conv/weight': Float32Array.from(
        { length: 60 },
        (_, i) => weight[(i % 12) * 5 + Math.floor(i / 12)] ?? Number.NaN,
      ),
      'conv/bias': bias,
    });
    // [N, T, width] against [N, width, rows, columns]
    const images = resultOf(result, 'convolved');
    const tokens = Array.from({ length: 60 }, (_, i) => {
      const [n, t, feature] = [Math.floor(i / 30), Math.floor(i / 5) % 6, i % 5];
      return images[n * 30 + feature * 6 + t] ?? Number.NaN;
    });
    expect(largestDifference(resultOf(result, 'y'), tokens)).toBeLessThan(1e-5);
  });

  it('asks for images that the patches can tile', () => {
    const build = () =>
      buildNetwork('inference', [2, 3, 4, 6], (n, x) => patchEmbedding(n, x, { name: 'patches', size: 4, width: 5 }));
    expect(build).toThrow('patches: images of 4×6; expected multiples of the patch size 4');
  });
});

describe('categoricalEmbedding', () => {
  it('takes rows of its weights, by int32 or int64', async () => {
    for (const [type, input] of [
      ['int32', Int32Array.of(2, 0)],
      ['int64', BigInt64Array.of(2n, 0n)],
    ] as const) {
      const { network, y } = buildNetwork(
        'inference',
        [2],
        (n, x) => categoricalEmbedding(n, x, { name: 'colour', categories: 3, width: 2 }),
        type,
      );
      const run = await compile(network.graph, { y });
      const result = await run({ input, 'colour/weight': Float32Array.of(0, 1, 10, 11, 20, 21) });
      expect(resultOf(result, 'y')).toEqual(Float32Array.of(20, 21, 0, 1));
    }
  });
});

describe('residual, maxPool and flatten', () => {
  it('add the input, take the largest, and keep the order', async () => {
    const { network, y } = buildNetwork('inference', [1, 1, 2, 4], (n, x) =>
      flatten(n, maxPool(n, residual(n, x, { name: 'double', branch: (input) => input }), { size: 2 })),
    );
    const run = await compile(network.graph, { y });
    const result = resultOf(await run({ input: Float32Array.of(1, 2, 3, 4, 5, 6, 8, 7) }), 'y');
    expect(result).toEqual(Float32Array.of(12, 16));
  });

  it('name what they build', () => {
    const { network } = buildNetwork('inference', [1, 1, 2, 4], (n, x) =>
      n.scope('stage1', () => maxPool(n, x, { name: 'pool', size: 2 })),
    );
    expect(network.graph.nodes.map(({ name }) => name)).toEqual(['stage1/pool/maxPool']);
  });
});
