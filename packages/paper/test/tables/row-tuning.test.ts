import { describe, expect, it } from 'vitest';
import { cellOf } from '../../src/tables/cells.js';
import { rowTuning } from '../../src/tables/row-tuning.js';

const OPTIONS = { method: 'enhancement', scale: 'cpu', draws: 2 } as const;

describe('tuning a row', () => {
  it("changes what is searched of the row's recipe and nothing else, and trains every trial to its end", () => {
    const search = { 'method.enhancementRate': [1, 3, 10], 'optimizer.learningRate': { from: 0.001, to: 0.01 } };
    const { definition } = rowTuning('even/fl', { ...OPTIONS, search });
    const key = { table: 'table1', scale: 'paper', setting: 'even', loss: 'fl', method: 'enhancement' } as const;
    const { method, optimizer, ...rest } = cellOf({ ...key, seed: 0, subset: 0 }).config;
    const { enhancementRate: _, ...others } = { enhancementRate: 0, ...method };
    const { learningRate, ...otherOptimizer } = optimizer;
    expect(learningRate).toBe(0.003);
    expect(definition.config).toEqual({ ...rest, method: others, optimizer: otherOptimizer });
    expect(definition).toMatchObject({ draws: 2, pruning: false, sampler: 'tpe' });
  });

  it('may hold out more training images than the method measures by', () => {
    const { definition } = rowTuning('cifar10-lt/ce', {
      ...OPTIONS,
      method: 'one-hot',
      search: { batchSize: [32, 64], 'optimizer.weightDecay': [2e-4, 5e-4] },
      validationPerClass: 20,
    });
    expect(definition.config.data).toMatchObject({ validationPerClass: 20, imbalance: { kind: 'cifar10-lt' } });
    expect(definition.trials).toBe(4);
  });

  it('tries all combinations of a few lists', () => {
    const search = { 'method.enhancementRate': [1, 3, 10], 'method.updatingRate': [0.1, 0.3] };
    expect(rowTuning('cifar10-lt/ce', { ...OPTIONS, search }).definition).toMatchObject({ sampler: 'grid', trials: 6 });
  });

  it('refuses a row that there is not', () => {
    expect(() => rowTuning('longtail/ce', { ...OPTIONS, search: { epochs: [1] } })).toThrow(
      'the row is "longtail/ce"; did you mean "long-tail/ce"? Expected one of even/mse, ',
    );
  });
});
