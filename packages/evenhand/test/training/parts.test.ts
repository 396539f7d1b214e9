import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import { csvCell } from '../../src/tables/csv-cell.js';
import { effectiveBatchSize, evaluationBatchSize } from '../../src/training/batch-size.js';
import { learningRateOfStep } from '../../src/training/learning-rate.js';
import { validationMetrics } from '../../src/training/validation.js';

describe('the batch size', () => {
  it.each([
    [128, 10_000, 128],
    [128, 512, 128],
    [128, 511, 64],
    [128, 40, 8],
    [128, 5, 8],
    [4, 5, 4],
    [100, 10_000, 100],
  ])('asked for %i, with %i instances in an epoch, is %i', (asked, instances, expected) => {
    expect(effectiveBatchSize(asked, instances)).toBe(expected);
  });

  it.each([
    [3, 10, 16],
    [50, 784, 64],
    [5000, 784, 256],
    [505, 3 * 224 * 224, 32],
  ])('for a validation set of %i instances of %i values is %i', (instances, values, expected) => {
    expect(evaluationBatchSize(instances, values)).toBe(expected);
  });
});

describe('the learning rate', () => {
  const data = { source: 'a.csv', target: 'class' };
  const rates = (config: object, steps: readonly number[]) => {
    const rate = learningRateOfStep(parseConfig({ data, optimizer: { learningRate: 1 }, epochs: 10, ...config }), 4);
    return steps.map((step) => rate(step));
  };

  it('epochs of the configuration become steps', () => {
    const schedule = { name: 'multi-step', milestones: [5, 8], factor: 0.5, warmUpEpochs: 1 };
    expect(rates({ schedule }, [0, 1, 3, 4, 19, 20, 31, 32, 39])).toEqual([0.25, 0.5, 1, 1, 1, 0.5, 0.5, 0.25, 0.25]);
  });

  it('a cosine has fallen to half in the middle', () => {
    const [first, middle = 0, last = 1] = rates({ schedule: { name: 'cosine' } }, [0, 20, 39]);
    expect(first).toBe(1);
    expect(middle).toBeCloseTo(0.5, 12);
    expect(last).toBeLessThan(0.01);
  });

  it('a constant one may warm up, and one cycle needs no more than one epoch of one step', () => {
    expect(rates({ schedule: { name: 'constant', warmUpEpochs: 1 } }, [0, 3, 4, 39])).toEqual([0.25, 1, 1, 1]);
    const config = parseConfig({ data, schedule: { name: 'one-cycle' }, epochs: 1 });
    expect(learningRateOfStep(config, 1)(0)).toBeGreaterThan(0);
  });
});

describe('fault 33: cells of predictions.csv', () => {
  it.each([
    ['=cmd', "'=cmd"],
    ['+a', "'+a"],
    ['-', "'-"],
    ['@x', "'@x"],
    ['\tx', "'\tx"],
    ['-1,5', `"'-1,5"`],
    ['-1+2', "'-1+2"],
    ['-1.5e-3', '-1.5e-3'],
    ['+7', '+7'],
    [-0.25, '-0.25'],
    ['a"b', '"a""b"'],
    ['plain', 'plain'],
  ])('%j becomes %s', (value, expected) => {
    expect(csvCell(value)).toBe(expected);
  });
});

it('validation metrics are the diagonal of the normalised soft-confusion matrix, and its mean', () => {
  const labels = Int32Array.of(0, 0, 1);
  const probabilities = Float32Array.of(0.5, 0.25, 0.25, 0.25, 0.5, 0.25, 0.125, 0.75, 0.125);
  expect(validationMetrics(labels, probabilities, 3)).toEqual({
    softAccuracy: (0.375 + 0.75) / 2,
    accuracy: 2 / 3,
    softRecall: [0.375, 0.75, null],
  });
});
