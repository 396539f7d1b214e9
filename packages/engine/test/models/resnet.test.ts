import { describe, expect, it } from 'vitest';
import { createModel } from '../../src/models/registry.js';
import { buildNetwork, compile, firstValues, largestDifference, resultOf } from '../network/run.js';

describe('resnet20', () => {
  it('has shortcuts that take every second pixel and put zero channels on both sides', async () => {
    const model = createModel('resnet20', { input: [3, 8, 8], classes: 64, logitNorm: false });
    const { network, y } = buildNetwork('inference', [1, 3, 8, 8], (n, x) => model.build(n, x));

    // Branches without effect, a stem that copies input channel k mod 3 to channel k, a classifier that passes on.
    const values = firstValues(network);
    for (const { name, tensor } of network.parameters) {
      if (name.endsWith('norm2/scale') || name === 'classifier/bias') values[name] = new Float32Array(tensor.size);
    }
    const stem = new Float32Array(16 * 3 * 9);
    for (let k = 0; k < 16; k++) stem[k * 27 + (k % 3) * 9 + 4] = 1;
    const identity = Float32Array.from({ length: 64 * 64 }, (_, i) => (i % 65 === 0 ? 1 : 0));
    const input = Float32Array.from({ length: 3 * 64 }, (_, i) => 1 + ((i * 7) % 31));
    const run = await compile(network.graph, { y });
    const result = await run({ ...values, 'stem/conv/weight': stem, 'classifier/weight': identity, input });

    // Halved twice: pixels (0, 0), (0, 4), (4, 0), (4, 4). 16 channels, 8 zeros on both sides, then 16 on both.
    const means = [0, 1, 2].map((c) =>
      [0, 4, 32, 36].reduce((sum, pixel) => sum + (input[c * 64 + pixel] ?? 0) / 4, 0),
    );
    const expected = Array.from({ length: 64 }, (_, k) => (k >= 24 && k < 40 ? (means[(k - 24) % 3] ?? 0) : 0));
    expect(largestDifference(resultOf(result, 'y'), expected)).toBeLessThan(1e-3); // the stem's norm divides by √(1 + ε)
  });

  it('names its layers by stage and block', () => {
    const model = createModel('resnet20', { input: [3, 8, 8], classes: 2 });
    const { network } = buildNetwork('training', [2, 3, 8, 8], (n, x) => model.build(n, x));
    const names = network.parameters.map(({ name }) => name);
    expect(names.slice(0, 6)).toEqual([
      'stem/conv/weight',
      'stem/norm/scale',
      'stem/norm/shift',
      'stage1/block1/conv1/weight',
      'stage1/block1/norm1/scale',
      'stage1/block1/norm1/shift',
    ]);
    expect(names).toContain('stage3/block3/conv2/weight');
  });
});

describe('resnet18', () => {
  it('has a projection where stride or channels change, and only there', () => {
    const model = createModel('resnet18', { input: [3, 32, 32], classes: 2 });
    const { network } = buildNetwork('training', [2, 3, 32, 32], (n, x) => model.build(n, x));
    const projections = network.parameters.filter(({ name }) => name.endsWith('shortcut/conv/weight'));
    expect(projections.map(({ name, tensor }) => [name, tensor.shape])).toEqual([
      ['stage2/block1/shortcut/conv/weight', [128, 64, 1, 1]],
      ['stage3/block1/shortcut/conv/weight', [256, 128, 1, 1]],
      ['stage4/block1/shortcut/conv/weight', [512, 256, 1, 1]],
    ]);
  });
});
