import { availableParallelism } from 'node:os';
import { models } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseConfig } from '../../src/config/parse.js';
import { configJsonSchema } from '../../src/config/schema.js';
import { methods } from '../../src/methods/registry.js';
import { UserError } from '../../src/user-error.js';

const table = { source: 'yeast.csv', target: 'class' };

/** The message of the error that a configuration causes. */
function faultOf(given: unknown): string {
  try {
    parseConfig(given);
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return 'no error';
}

describe('defaults', () => {
  it('the trees of a portfolio have a length of their own, unless one is given for all members', () => {
    const treesOf = (given: object) =>
      parseConfig({ data: table, ...given }).portfolio?.find(({ name }) => name === 'trees');
    expect(treesOf({})).toMatchObject({ epochs: 60, earlyStopping: { patience: 10 } });
    expect(treesOf({ epochs: 3 })).toMatchObject({ earlyStopping: { patience: 10 } });
    expect(treesOf({ epochs: 3 })).not.toHaveProperty('epochs');
    expect(treesOf({ earlyStopping: { patience: 5 } })).not.toHaveProperty('earlyStopping');
  });

  it('the data is all that has to be said: a table gets a portfolio', () => {
    const { data, portfolio, ...config } = parseConfig({ data: table, threads: 2 });
    expect(data.target).toBe('class');
    expect(portfolio?.map(({ name, model }) => [name, model.name])).toEqual([
      ['linear', 'mlp'],
      ['trees', 'trees'],
      ['tabular', 'tabular'],
    ]);
    expect(config).toEqual({
      model: { name: 'auto' },
      folds: 8,
      method: { name: 'logit-adjustment', tau: 1 },
      loss: { name: 'cross-entropy' },
      optimizer: { name: 'adamw', learningRate: 0.04, weightDecay: 0.02, beta2: 0.95 },
      schedule: { name: 'waves' },
      labelSmoothing: 0.1,
      epochs: 48,
      batchSize: 128,
      earlyStopping: { patience: 24 },
      decision: { temperature: false, objective: 'balanced-accuracy' },
      seed: 0,
      threads: 2,
      device: 'cpu',
    });
  });

  it('of one network, its name is all that has to be said beside', () => {
    expect(parseConfig({ data: table, model: { name: 'mlp' }, threads: 2 })).toEqual({
      data: {
        source: 'yeast.csv',
        giveBack: 0.67,
        target: 'class',
        missingLabels: 'refuse',
        missingValues: 'impute',
        rareClasses: 'keep',
        duplicatesTogether: true,
        validationPerClass: 5,
        splitSeed: 0,
      },
      model: { name: 'mlp', hidden: [128, 64], dropout: 0, logitNorm: true },
      method: { name: 'enhancement', enhancementRate: 3, updatingRate: 0.1 },
      loss: { name: 'cross-entropy' },
      optimizer: { name: 'adamw', learningRate: 0.001, weightDecay: 0.01 },
      schedule: { name: 'cosine', warmUpEpochs: 0 },
      folds: 1,
      epochs: 60,
      batchSize: 128,
      decision: { temperature: false },
      seed: 0,
      threads: 2,
      device: 'cpu',
    });
  });

  it('the threads are the machine’s, at most 8', () => {
    expect(parseConfig({ data: table }).threads).toBe(Math.min(availableParallelism(), 8));
  });

  it.each([
    [table, 'auto'],
    [{ source: 'mnist' }, 'lenet5'],
    [{ source: 'fashion-mnist' }, 'lenet5'],
    [{ source: 'photos' }, 'resnet20'],
  ])('the model for %o is %s', (data, model) => {
    expect(parseConfig({ data }).model.name).toBe(model);
  });

  it('one option of a section can be set without its name', () => {
    const { optimizer, model } = parseConfig({ data: table, optimizer: { learningRate: 0.5 }, model: { hidden: [8] } });
    expect(optimizer).toEqual({ name: 'adamw', learningRate: 0.5, weightDecay: 0.01 });
    expect(model).toEqual({ name: 'mlp', hidden: [8], dropout: 0, logitNorm: true });
  });

  it('the options of a section are those of its name', () => {
    const { optimizer, loss } = parseConfig({ data: table, optimizer: { name: 'sgd' }, loss: { name: 'focal' } });
    expect(optimizer).toEqual({ name: 'sgd', learningRate: 0.05, momentum: 0.9, weightDecay: 5e-4 });
    expect(loss).toEqual({ name: 'focal', gamma: 2 });
  });

  it('a complete configuration stays what it is, as an object and as JSON text', () => {
    const config = parseConfig({
      data: { ...table, imbalance: { kind: 'exponential', factor: 100 } },
      schedule: { name: 'multi-step', milestones: [160, 180], factor: 0.01, warmUpEpochs: 5 },
      earlyStopping: {},
      augmentation: { flip: false },
      epochs: 200,
    });
    expect(parseConfig(config)).toEqual(config);
    expect(parseConfig(`\uFEFF${JSON.stringify(config)}`)).toEqual(config);
  });

  it('an option that is undefined is not given', () => {
    expect(parseConfig({ data: { ...table, group: undefined }, seed: undefined })).toEqual(
      parseConfig({ data: table }),
    );
  });

  it.each(Object.keys(models))('knows the engine’s model %s', (name) => {
    expect(parseConfig({ data: table, model: { name } }).model.name).toBe(name);
  });
});

describe('methods', () => {
  it.each(Object.keys(methods))('knows %s', (name) => {
    expect(parseConfig({ data: table, method: { name } }).method.name).toBe(name);
  });

  it('have their own options, with defaults', () => {
    expect(parseConfig({ data: table, method: { updatingRate: 1 } }).method).toEqual({
      name: 'enhancement',
      enhancementRate: 3,
      updatingRate: 1,
    });
  });
});

describe('faults', () => {
  it.each([
    [{ data: table, epoch: 5 }, 'unknown option "epoch"; did you mean "epochs"?'],
    [{ data: table, bachtSize: 5 }, 'unknown option "bachtSize"; did you mean "batchSize"?'],
    [{ data: { ...table, Target: 'x' } }, 'data: unknown option "Target"; did you mean "target"?'],
    [
      { data: table, optimizer: { name: 'adam', momentum: 0.9 } },
      'optimizer: unknown option "momentum"; expected name, learningRate, weightDecay, beta2 or clipNorm',
    ],
    [{ data: table, epochs: 0 }, 'epochs is 0; expected a number of at least 1'],
    [
      { data: table, schedule: { name: 'multi-step', milestones: [2, 30], warmUpEpochs: 5 } },
      'schedule.milestones is [2,30]; expected epochs from 5 on, when the warm-up is over',
    ],
    [
      { data: table, decision: { objective: 'f1' } },
      'decision.objective is "f1"; expected balanced-accuracy, macro-f1, accuracy, {"costs": [[0, 1], [5, 0]]}, ' +
        '{"costs": {"fraud": {"normal": 5}}} or {"recallAtPrecision": 0.9, "class": "fraud"}',
    ],
    [
      { data: table, decision: { objective: { recallAtPrecision: 1, class: 'a' } } },
      'decision.objective.recallAtPrecision is 1; expected a number below 1',
    ],
    [
      { data: table, decision: { objective: { recallAtPrecision: 0.5 } } },
      'decision.objective is {"recallAtPrecision":0.5}; expected the name of a class, as text, as "class"',
    ],
    [
      { data: table, decision: { objective: { costs: [[0, Number.POSITIVE_INFINITY]] } } },
      'decision.objective is {"costs":[[0,null]]}; expected a finite number as costs[0][1], not Infinity',
    ],
    [
      { data: table, decision: { objective: { costs: { a: { b: '5' } } } } },
      'decision.objective is {"costs":{"a":{"b":"5"}}}; expected a finite number as costs[a][b], not 5',
    ],
    [{ data: table, epochs: 2.5 }, 'epochs is 2.5; expected an integer'],
    [{ data: table, epochs: '60' }, 'epochs is "60"; expected a number'],
    [{ data: { ...table, testShare: 1 } }, 'data.testShare is 1; expected a number below 1'],
    [{ data: { source: '' } }, 'data.source is ""; expected some text'],
    [{ data: {} }, 'data.source is missing; expected text'],
    [{}, 'data is missing; expected an object'],
    [[], 'the whole is []; expected an object'],
    [{ data: table, model: { hidden: [64, -1] } }, 'model.hidden.1 is -1; expected a number of at least 1'],
    [{ data: table, optimizer: 'sgd' }, 'optimizer is "sgd"; expected an object'],
    [{ data: table, optimizer: { name: 'sgdd' } }, 'optimizer.name is "sgdd"; expected sgd, adam or adamw'],
    [
      { data: table, method: { enhancmentRate: 3 } },
      'method: unknown option "enhancmentRate"; did you mean "enhancementRate"?',
    ],
    [
      { data: table, method: { enhancementRate: 'x' } },
      'method.enhancementRate is "x"; expected a number, "auto", { "kind": "warm-up", "rate", "epochs" }, { "kind": "cosine", ' +
        '"rate", "final" }, { "kind": "steady", "push" } or { "kind": "look-ahead" }',
    ],
    [{ data: table, method: { name: 'one-hot', beta: 1 } }, 'method: unknown option "beta"; expected name'],
    [{ data: table, device: 'gpu' }, 'device is "gpu"; expected cpu, cuda, webgpu, dml or coreml'],
    [
      { data: { ...table, imbalance: { kind: 'exponential', factor: 0.5 } } },
      'data.imbalance.factor is 0.5; expected a number of at least 1',
    ],
    [
      { data: table, epochs: 5, schedule: { warmUpEpochs: 5 } },
      'schedule.warmUpEpochs is 5; expected less than all 5 epochs',
    ],
    [
      { data: table, schedule: { name: 'multi-step', milestones: [20, 10] } },
      'schedule.milestones is [20,10]; expected epochs in rising order',
    ],
  ])('%j', (given, fault) => {
    expect(faultOf(given)).toBe(`UserError: the configuration: ${fault}`);
  });

  it('an option that is there twice in a text', () => {
    expect(faultOf('{"data":{"source":"a"},"seed":1,"seed":2}')).toContain(
      'the configuration is not valid JSON (the key "seed" is there twice); expected',
    );
  });

  it('are listed all at once', () => {
    expect(faultOf({ data: table, epochs: 0, seed: -1 })).toBe(
      'UserError: the configuration has 2 faults:\n' +
        '  epochs is 0; expected a number of at least 1\n' +
        '  seed is -1; expected a number of at least 0',
    );
  });

  it('text that is not JSON is named', () => {
    expect(() => parseConfig('{"data": ', 'settings.json')).toThrow(
      /^settings\.json is not valid JSON \(.*\); expected/,
    );
  });

  it('a long value is cut', () => {
    expect(faultOf({ data: table, epochs: 'x'.repeat(1000) }).length).toBeLessThan(150);
  });
});

describe('fault 34: __proto__', () => {
  const refusal = 'UserError: the configuration has an option "__proto__", which is not allowed; remove it';

  it.each([
    '{"data":{"source":"a"},"__proto__":{"polluted":1}}',
    '{"data":{"source":"a","__proto__":{"polluted":1}}}',
    '{"data":{"source":"a"},"method":{"name":"enhancement","enhancementRate":[{"__proto__":{"polluted":1}}]}}',
  ])('is refused, and no object changes: %s', (text) => {
    expect(faultOf(text)).toContain('is not valid JSON (the key "__proto__" is not allowed)');
    expect(faultOf(JSON.parse(text))).toBe(refusal);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('is a name as good as any for a column', () => {
    const { data } = parseConfig({ data: { source: 'a.csv', target: '__proto__', group: 'toString' } });
    expect([data.target, data.group]).toEqual(['__proto__', 'toString']);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('%s is an unknown option, not an inherited one', (name) => {
    expect(faultOf(`{"data":{"source":"a"},"${name}":1}`)).toContain(`unknown option "${name}"`);
  });
});

it('the JSON Schema asks for the data only, and says what everything is and defaults to', () => {
  expect(configJsonSchema()).toMatchObject({
    required: ['data'],
    additionalProperties: false,
    properties: {
      data: { required: ['source'], properties: { validationPerClass: { default: 5, minimum: 1 } } },
      epochs: {
        type: 'integer',
        default: 60,
        description: 'number of epochs; by default 60, and 48 for networks of the models auto and tabular',
      },
    },
  });
});

it('the JSON Schema describes every option of every section', () => {
  const undescribed: string[] = [];
  const visit = (schema: z.core.JSONSchema.BaseSchema, path: string) => {
    const kinds = schema.oneOf ?? [schema];
    for (const { properties = {} } of kinds.filter((kind) => typeof kind !== 'boolean')) {
      for (const [key, option] of Object.entries(properties)) {
        if (typeof option === 'boolean' || option.const !== undefined || option.enum !== undefined) continue; // names
        if (option.description === undefined && path !== '') undescribed.push(`${path}${key}`);
        visit(option, `${path}${key}.`);
      }
    }
  };
  visit(configJsonSchema(), '');
  expect(undescribed).toEqual([]);
});

it.each([
  { method: { enhancementRate: 5 } },
  { model: { hidden: [8] }, loss: {}, schedule: { warmUpEpochs: 2 } },
  { optimizer: { name: 'sgd', momentum: 0.8 } },
])('the JSON Schema takes %j', (sections) => {
  const schema = z.fromJSONSchema(configJsonSchema());
  expect(schema.safeParse({ data: { source: 'a.csv' }, ...sections }).error).toBeUndefined();
});

it.each([{ method: { tau: 1 } }, { optimizer: { momentum: 0.8 } }, { model: { patch: 2 } }])(
  'the JSON Schema refuses %j, as parseConfig does',
  (sections) => {
    const config = { data: { source: 'a.csv', target: 'b' }, ...sections };
    expect(z.fromJSONSchema(configJsonSchema()).safeParse(config).success).toBe(false);
    expect(() => parseConfig(config)).toThrow(UserError);
  },
);
