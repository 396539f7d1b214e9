import { describe, expect, it } from 'vitest';
import type { Shape } from '../../src/graph/tensor.js';
import { batchNorm, layerNorm } from '../../src/layers/index.js';
import type { Network } from '../../src/network/network.js';
import { concat } from '../../src/operations/concat.js';
import { split } from '../../src/operations/split.js';
import { nextStatistics } from '../../src/training/state-vectors.js';
import { buildNetwork, compile, firstValues, largestDifference, resultOf } from '../network/run.js';
import { known } from '../training/run.js';

// Two channels. Channel 0 has the values 1, 2, 3, 6: mean 3, biased variance 14/4, unbiased 14/3. Channel 1 is −10 times
// that: mean −30, variances 100 times those.
const rows = Float32Array.of(1, -10, 2, -20, 3, -30, 6, -60);
const images = Float32Array.of(1, 2, -10, -20, 3, 6, -30, -60);
const deviations = [-2, -1, 0, 3].map((value) => value / Math.sqrt(3.5));

const inputs: [string, Shape, Float32Array, number[]][] = [
  ['rows [N, C]', [4, 2], rows, deviations.flatMap((value) => [value, -value])],
  [
    'images [N, C, H, W]',
    [2, 2, 1, 2],
    images,
    [0, 2].flatMap((i) => [1, -1].flatMap((sign) => deviations.slice(i, i + 2).map((value) => sign * value))),
  ],
];

/** One training step's worth of outputs and next statistics. */
async function train(shape: Shape, input: Float32Array, statistics: Record<string, Float32Array> = {}) {
  const { network, y } = buildNetwork('training', shape, (n, x) => batchNorm(n, x, { name: 'norm' }));
  const run = await compile(network.graph, { y, ...updates(network) });
  return run({ ...firstValues(network), ...statistics, input });
}

function updates({ statistics }: Network) {
  const running = concat(
    statistics.map(({ tensor }) => tensor),
    0,
  );
  const next = split(
    nextStatistics(running, statistics),
    statistics.map(({ tensor }) => tensor.size),
  );
  return Object.fromEntries(statistics.map(({ name }, i) => [`next/${name}`, known(next[i])]));
}

describe.each(inputs)('batchNorm of %s', (_, shape, input, normalised) => {
  it('normalises by the batch, with its biased variance, in training', async () => {
    // ε = 1e-5 beside variances of 3.5 and 350 is below the tolerance.
    expect(largestDifference(resultOf(await train(shape, input), 'y'), normalised)).toBeLessThan(1e-5);
  });

  it('moves the statistics by a tenth towards the batch, the variance by its unbiased estimate', async () => {
    const next = await train(shape, input);
    expect(largestDifference(resultOf(next, 'next/norm/mean'), [0.3, -3])).toBeLessThan(1e-6);
    const variances = [14 / 3, 1400 / 3].map((variance) => 0.9 + 0.1 * variance);
    expect(largestDifference(resultOf(next, 'next/norm/variance'), variances)).toBeLessThan(1e-5);
  });

  it('goes on from the statistics of the step before', async () => {
    const first = await train(shape, input);
    const next = await train(shape, input, {
      'norm/mean': resultOf(first, 'next/norm/mean'),
      'norm/variance': resultOf(first, 'next/norm/variance'),
    });
    expect(largestDifference(resultOf(next, 'next/norm/mean'), [0.57, -5.7])).toBeLessThan(1e-6);
    const variances = [14 / 3, 1400 / 3].map((variance) => 0.81 + 0.19 * variance);
    expect(largestDifference(resultOf(next, 'next/norm/variance'), variances)).toBeLessThan(1e-4);
  });

  it('normalises by the statistics, and by nothing else, in inference', async () => {
    const { network, y } = buildNetwork('inference', shape, (n, x) => batchNorm(n, x, { name: 'norm' }));
    const run = await compile(network.graph, { y });
    const constants = {
      'norm/mean': Float32Array.of(1, -10),
      'norm/variance': Float32Array.of(4, 25),
      'norm/scale': Float32Array.of(1, 2),
      'norm/shift': Float32Array.of(0, 7),
    };
    const channel = (i: number) => (shape.length === 2 ? i % 2 : Math.floor(i / 2) % 2);
    const expected = Array.from(input, (x, i) => (channel(i) === 0 ? (x - 1) / 2 : ((x + 10) / 5) * 2 + 7));
    const result = resultOf(await run({ ...firstValues(network), ...constants, input }), 'y');
    expect(largestDifference(result, expected)).toBeLessThan(1e-4);
  });
});

describe('batchNorm', () => {
  it('starts with mean 0 and variance 1: an untrained network passes everything on', () => {
    const { network } = buildNetwork('training', [2, 3], (n, x) => batchNorm(n, x, { name: 'norm' }));
    expect(network.statistics.map(({ name, initial }) => [name, initial])).toEqual([
      ['norm/mean', 0],
      ['norm/variance', 1],
    ]);
    const values = firstValues(network);
    expect(values['norm/scale']).toEqual(Float32Array.of(1, 1, 1));
    expect(values['norm/shift']).toEqual(Float32Array.of(0, 0, 0));
  });

  it('asks for more than one value a channel in training, and not in inference', () => {
    const build = (network: Network, x: Parameters<typeof batchNorm>[1]) => batchNorm(network, x, { name: 'norm' });
    expect(() => buildNetwork('training', [1, 3], build)).toThrow(
      'norm: one value a channel in [1, 3] has no variance; expected a batch of at least 2 in training',
    );
    expect(buildNetwork('inference', [1, 3], build).y.shape).toEqual([1, 3]);
  });
});

describe('layerNorm', () => {
  it('normalises every row by itself', async () => {
    const { network, y } = buildNetwork('inference', [2, 4], (n, x) => layerNorm(n, x, { name: 'norm' }));
    const run = await compile(network.graph, { y });
    const input = Float32Array.of(1, 2, 3, 6, -10, -20, -30, -60);
    const result = resultOf(await run({ ...firstValues(network), input }), 'y');
    expect(largestDifference(result, [...deviations, ...deviations.map((value) => -value)])).toBeLessThan(1e-5);
  });
});
