import { describe, expect, it } from 'vitest';
import { parseSweep, type SweepInput } from '../../src/sweep/definition.js';

const config = { data: { source: 'yeast.csv', target: 'class' } };
const rates = { from: 1e-3, to: 0.3, scale: 'log' };

describe('a sweep', () => {
  it('gets every default, and what it gives can be given again', () => {
    const parsed = parseSweep({ config, search: { 'optimizer.learningRate': rates } });
    expect(parsed).toMatchObject({ sampler: 'tpe', trials: 30, draws: 3, pruning: { minEpochs: 3 }, ahead: 4 });
    expect(parsed.config).toMatchObject({ threads: 1, epochs: 60, model: { name: 'mlp' } });
    expect(parsed.config.optimizer).toEqual({ name: 'adamw', weightDecay: 0.01 }); // without what is searched
    expect(parseSweep(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed);
  });

  it('of few combinations of lists is a grid that trains all of them to the end', () => {
    const search = { 'method.enhancementRate': [1, 3, 10], 'method.updatingRate': [0.1, 1] };
    expect(parseSweep({ config, search })).toMatchObject({ sampler: 'grid', trials: 6, pruning: false });
    expect(parseSweep({ config, search, trials: 5 })).toMatchObject({ sampler: 'tpe', trials: 5 });
    expect(parseSweep({ config, search, sampler: 'random' })).toMatchObject({ sampler: 'random', trials: 6 });
  });

  it('searches kinds of a section, each with its own defaults', () => {
    const given = { ...config, optimizer: { weightDecay: 0.1 } };
    const parsed = parseSweep({ config: given, search: { 'optimizer.name': ['sgd', 'adamw'] } });
    expect(parsed.config.optimizer).toEqual({ weightDecay: 0.1 });
    expect(parseSweep(parsed)).toEqual(parsed);
  });
});

describe('is refused:', () => {
  it.each<[title: string, given: Partial<Record<keyof SweepInput, unknown>>, message: string]>([
    ['nothing to search', { search: {} }, 'nothing is searched; expected an option and its values'],
    ['an empty list', { search: { batchSize: [] } }, 'search batchSize: the whole is []; expected at least one value'],
    ['a value twice', { search: { batchSize: [8, 16, 8] } }, 'search batchSize: 8 is in the list twice'],
    [
      'a range that ends before it begins',
      { search: { epochs: { from: 9, to: 3 } } },
      'to is 3; expected a number above 9',
    ],
    [
      'a logarithmic range from 0',
      { search: { 'optimizer.learningRate': { ...rates, from: 0 } } },
      'from is 0; expected a number above 0, for a logarithmic scale',
    ],
    [
      'half an integer',
      { search: { epochs: { from: 1.5, to: 3, integer: true } } },
      'from is 1.5; expected an integer',
    ],
    ['a misspelt part of a range', { search: { epochs: { form: 1, to: 3 } } }, 'did you mean "from"?'],
    ['an unknown option', { search: { 'optimizer.learningrate': rates } }, 'did you mean "learningRate"?'],
    [
      'a value that the option cannot have',
      {
        search: { batchSize: [8, 16], 'optimizer.momentum': [0.9, 1] },
        config: { ...config, optimizer: { name: 'sgd' } },
      },
      'the configuration with batchSize = 8, optimizer.momentum = 1: optimizer.momentum is 1; expected a number below 1',
    ],
    [
      'integers that are searched as any number',
      { search: { epochs: { from: 10, to: 15 } } },
      'epochs is 12.5; expected an integer',
    ],
    [
      'values that do not go together',
      { search: { epochs: [5, 20], 'schedule.warmUpEpochs': [0, 10] } },
      'schedule.warmUpEpochs is 10; expected less than all 5 epochs',
    ],
    ['seeds', { search: { seed: [1, 2] } }, 'search seed: a seed is not better than another'],
    ['other data', { search: { 'data.splitSeed': [1, 2] } }, 'all trials have the same data'],
    ['threads', { search: { threads: [1, 2] } }, 'it decides how fast training is, not how good'],
    [
      'a validation draw',
      { config: { data: { ...config.data, validationDraw: 1 } } },
      'every draw of a sweep has its own; leave it out',
    ],
    ['early stopping', { config: { ...config, earlyStopping: {} } }, 'earlyStopping is set'],
    [
      'a grid of a range',
      { sampler: 'grid', search: { epochs: { from: 1, to: 3, integer: true } } },
      'a grid needs a list',
    ],
    ['a grid cut short', { sampler: 'grid', trials: 1 }, 'trials is 1, and the grid has 2 combinations'],
    ['a pruned grid', { sampler: 'grid', pruning: { minEpochs: 2 } }, 'a grid trains every combination to its end'],
    ['more trials than combinations', { sampler: 'tpe', trials: 3 }, 'there are only 2 combinations'],
    ['an unknown sampler', { sampler: 'best' }, 'sampler is "best"; expected tpe, random or grid'],
    ['fault 34: __proto__', { search: { '__proto__.x': [1, 2] } }, 'has an option "__proto__", which is not allowed'],
  ])('%s', (_, given, message) => {
    const whole = { config, search: { batchSize: [8, 16] }, ...given };
    expect(() => parseSweep(whole)).toThrow(expect.objectContaining({ name: 'UserError' }));
    expect(() => parseSweep(whole)).toThrow(message);
  });
});
