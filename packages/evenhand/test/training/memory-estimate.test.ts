import { createModel } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import { checkLabelMemory, checkMemory, estimateMemory } from '../../src/training/memory-estimate.js';

/** 3 inputs, 1,000 hidden units, 2 classes. */
const model = createModel('mlp', { input: [3], classes: 2, hidden: [1000], categories: [], logitNorm: false });

describe('fault 55: the memory of training is estimated before it begins', () => {
  it('by the weights: with adam thirty copies of four bytes, with sgd twenty', () => {
    // Without instances, what is left is weights and biases.
    const growth = (optimizer: 'sgd' | 'adam') =>
      2 * estimateMemory(model, { batchSize: 1, optimizer }) - estimateMemory(model, { batchSize: 2, optimizer });
    const weights = (3 + 1) * 1000 + (1000 + 1) * 2;
    // Batch normalisation of the hidden layer: scale, shift, running mean and variance.
    const least = weights;
    const most = weights + 4 * 1000;
    expect(growth('adam')).toBeGreaterThanOrEqual(4 * 30 * least);
    expect(growth('adam')).toBeLessThanOrEqual(4 * 30 * most);
    expect(growth('sgd') / growth('adam')).toBeCloseTo(2 / 3, 10);
  });

  it('by the batch: at least what the layers give, and in proportion', () => {
    const sizes = [1, 2, 3].map((batchSize) => estimateMemory(model, { batchSize, optimizer: 'sgd' }));
    const [one = 0, two = 0, three = 0] = sizes;
    expect(three - two).toBe(two - one);
    expect(two - one).toBeGreaterThanOrEqual(4 * (1000 + 1000 + 2)); // linear and its activation, then the logits
    expect(two - one).toBeLessThanOrEqual(4 * (4 * 1000 + 4 * 2));
  });

  it('and what does not fit is refused with both numbers', () => {
    const step = { batchSize: 64, optimizer: 'adam' } as const;
    const needed = estimateMemory(model, step);
    expect(() => checkMemory(model, step, needed)).not.toThrow();
    expect(() => checkMemory(model, { ...step, batchSize: 1e9 }, 8e9)).toThrow(
      /^the model mlp takes about [\d,]+(\.\d)? GB of memory to train with 1000000000 instances at a time; this machine has 8 GB/,
    );
  });
});

it('fault 54: so many classes that the matrix of their labels does not fit are refused with both numbers', () => {
  expect(() => checkLabelMemory(2000, 1e9)).not.toThrow();
  expect(() => checkLabelMemory(100_000, 64e9)).toThrow(
    'the data has 100000 classes, whose labels, a matrix of classes by classes, take about 1,600 GB of memory to train with; this ' +
      'machine has 64 GB. Put rare classes together or leave them out',
  );
});
