import { configDifference } from 'evenhand/config';
import { describe, expect, it } from 'vitest';
import { type Cell, cellFolder, cellId, cellOf, cellsOf } from '../../src/tables/cells.js';
import { SCALES, scaleOf } from '../../src/tables/recipes.js';
import { TABLE_NAMES } from '../../src/tables/tables.js';

const table1 = cellsOf({ table: 'table1', scale: 'paper' });

/** Sections of the configuration in which two cells differ. */
function differingSections(one: Cell, other: Cell): string[] {
  return [...new Set(configDifference(one.config, other.config).map(({ path }) => path.replace(/\..*/, '')))].sort();
}

describe('the cells of a table', () => {
  it('are, in Table 1, two settings with three losses, four methods and five seeds, and the equal budget with cross-entropy', () => {
    expect(table1).toHaveLength(120 + 40);
    expect(new Set(table1.map(cellId)).size).toBe(160);
    expect(table1.slice(120).every(({ loss, config }) => loss === 'ce' && config.data.giveBack < 1)).toBe(true);
  });

  it('are, in Table 2 on two cores, first three seeds of cross-entropy, then five of its two main methods, then all else', () => {
    const cells = cellsOf({ table: 'table2', scale: 'cpu' });
    const stages = [cells.slice(0, 12), cells.slice(12, 16), cells.slice(16, 40), cells.slice(40, 49), cells.slice(49)];
    const summary = stages.map((stage) => ({
      losses: [...new Set(stage.map(({ loss }) => loss))],
      methods: [...new Set(stage.map(({ method }) => method))],
      seeds: [...new Set(stage.map(({ seed }) => seed))],
    }));
    const four = ['one-hot', 'enhancement', 're-weighting', 'cost-sensitiveness'];
    expect(summary).toEqual([
      { losses: ['ce'], methods: four, seeds: [0, 1, 2] },
      { losses: ['ce'], methods: ['one-hot', 'enhancement'], seeds: [3, 4] },
      { losses: ['mse', 'fl'], methods: four, seeds: [0, 1, 2] },
      { losses: ['ce'], methods: ['logit-adjustment', 'class-balanced', 'confusion-margins'], seeds: [0, 1, 2] },
      { losses: ['ce'], methods: ['one-hot-all-images', 'enhancement-given-back'], seeds: [0, 1, 2] },
    ]);
  });

  it('are, of the transformers, three methods with three seeds of cross-entropy', () => {
    const cells = cellsOf({ table: 'transformers', scale: 'paper' });
    expect(cells).toHaveLength(18);
    expect(new Set(cells.map(({ config }) => config.model.name))).toEqual(new Set(['vit', 'eanet']));
    expect(cells.every(({ loss, scale }) => loss === 'ce' && scale === 'cpu')).toBe(true);
  });

  it('begin with the first seed of every row and method, cross-entropy first', () => {
    expect(table1.slice(0, 24).every(({ seed }) => seed === 0)).toBe(true);
    expect(table1.slice(0, 9).map(cellId)).toEqual([
      'even/ce/one-hot/0',
      'even/ce/enhancement/0',
      'even/ce/re-weighting/0',
      'even/ce/cost-sensitiveness/0',
      'long-tail/ce/one-hot/0',
      'long-tail/ce/enhancement/0',
      'long-tail/ce/re-weighting/0',
      'long-tail/ce/cost-sensitiveness/0',
      'even/mse/one-hot/0',
    ]);
  });

  it('of one row differ in nothing but the method, the seed, and whether held-out images train too', () => {
    for (const name of TABLE_NAMES) {
      const cells = cellsOf({ table: name, scale: 'cpu' });
      for (const cell of cells) {
        const first = cells.find(({ setting, loss }) => setting === cell.setting && loss === cell.loss);
        const allowed = cell.config.data.giveBack === 1 ? ['method', 'seed'] : ['data', 'method', 'seed'];
        expect(allowed).toEqual(expect.arrayContaining(first ? differingSections(first, cell) : ['none']));
      }
    }
  });

  it('of one setting have the same images, whatever the loss, method and seed', () => {
    for (const setting of ['even', 'long-tail']) {
      const data = table1.filter((cell) => cell.setting === setting).map(({ config }) => config.data);
      expect(new Set(data.map(({ giveBack, ...images }) => JSON.stringify(images))).size).toBe(1);
    }
  });

  it('can be had at every scale', () => {
    for (const table of TABLE_NAMES) {
      for (const scale of SCALES) expect(cellsOf({ table, scale }).length).toBeGreaterThan(0);
    }
  });

  it('of other subsets come last, are of cross-entropy, and draw other images', () => {
    const cells = cellsOf({ table: 'table1', scale: 'paper', seeds: [0], subsets: 3, settings: ['long-tail'] });
    const others = cells.slice(12 + 4); // after those of the equal budget
    expect(others).toHaveLength(8);
    expect(
      others.every(({ loss, seed, subset, config }) => loss === 'ce' && seed === 0 && config.data.splitSeed === subset),
    ).toBe(true);
    expect(others.map(({ subset }) => subset)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
    expect(cellId(others[0] ?? cellOf(KEY))).toBe('long-tail/ce/one-hot/0/subset-1');
  });

  it('may be of any method', () => {
    const cells = cellsOf({ table: 'table2', scale: 'cpu', methods: ['ldam', 'one-hot'], seeds: [0], losses: ['ce'] });
    expect(cells.map(cellId)).toEqual(['cifar10-lt/ce/one-hot/0', 'cifar10-lt/ce/ldam/0']);
  });
});

const KEY = {
  table: 'table2',
  scale: 'paper',
  setting: 'cifar10-lt',
  loss: 'fl',
  method: 'enhancement',
  seed: 3,
  subset: 0,
} as const;

describe('the configuration of a cell', () => {
  it("is, for CIFAR-10-LT at the paper's scale, what everybody trains", () => {
    const { data, model, loss, optimizer, schedule, augmentation, ...rest } = cellOf(KEY).config;
    expect(data).toMatchObject({
      source: 'cifar10',
      imbalance: { kind: 'cifar10-lt' },
      validationPerClass: 5,
      splitSeed: 0,
    });
    expect(model).toEqual({ name: 'resnet32', logitNorm: true });
    expect(loss).toEqual({ name: 'focal', gamma: 1 });
    expect(optimizer).toEqual({ name: 'sgd', learningRate: 0.1, momentum: 0.9, weightDecay: 2e-4 });
    expect(schedule).toEqual({ name: 'multi-step', warmUpEpochs: 5, milestones: [160, 180], factor: 0.01 });
    expect(augmentation).toEqual({ padding: 4, flip: true });
    expect(rest).toMatchObject({ epochs: 200, batchSize: 128, seed: 3, threads: 1 });
  });

  it.each([
    ['table1', 'even', 'mnist', 'lenet5', 10, 2, undefined],
    ['table1', 'long-tail', 'mnist', 'lenet5', 5, 2, undefined],
    ['table3', 'caltech101', 'caltech101', 'resnet34', 5, 0.5, 20],
  ] as const)(
    'of %s, %s, has the data, network and γ of the paper',
    (table, setting, source, model, validationPerClass, gamma, testPerClass) => {
      const { config } = cellOf({ ...KEY, table, setting });
      expect(config.data.source).toBe(source);
      expect(config.data.validationPerClass).toBe(validationPerClass);
      expect(config.data.testPerClass).toBe(testPerClass);
      expect(config.model).toEqual({ name: model, logitNorm: true });
      expect(config.loss).toEqual({ name: 'focal', gamma });
    },
  );

  it('shows Caltech 101 at 224 pixels for a GPU and smaller for two cores', () => {
    const sizes = SCALES.map(
      (scale) => cellOf({ ...KEY, table: 'table3', setting: 'caltech101', scale }).config.data.imageSize,
    );
    expect(sizes).toEqual([224, 48]);
    const key = { ...KEY, table: 'table3', setting: 'caltech101', scale: 'cpu' } as const;
    expect(cellOf(key, { imageSize: 64 }).config.data.imageSize).toBe(64);
  });

  it('gives ε and μ to the methods that have them, the ablations the same as the whole', () => {
    const of = (method: 'enhancement' | 're-weighting' | 'cost-sensitiveness' | 'one-hot') => {
      const { name, ...options } = cellOf({ ...KEY, method }).config.method;
      return options;
    };
    expect(Object.keys(of('enhancement'))).toEqual(['enhancementRate', 'updatingRate']);
    expect(of('re-weighting')).toEqual(of('enhancement'));
    expect(of('cost-sensitiveness')).toEqual(of('enhancement'));
    expect(of('one-hot')).toEqual({});
  });

  it.each([
    ['enhancement', 'enhancement', 1],
    ['logit-adjustment', 'logit-adjustment', 1],
    ['confusion-margins', 'confusion-margins', 1],
    ['one-hot-all-images', 'one-hot', 0],
    ['inverse-frequency-all-images', 'inverse-frequency', 0],
    ['enhancement-given-back', 'enhancement', 2 / 3],
  ] as const)('with the method %s trains by %s, and gives the held-out images back at %d', (method, name, giveBack) => {
    const { config } = cellOf({ ...KEY, method });
    expect(config.method.name).toBe(name);
    expect(config.data.giveBack).toBe(giveBack);
  });

  it('with confusion margins has the log prior', () => {
    expect(cellOf({ ...KEY, method: 'confusion-margins' }).config.method).toMatchObject({ tau: 1 });
  });

  it('keeps standard CIFAR-10-LT for the tables only: other subsets draw as many images of each class anew', () => {
    expect(cellOf({ ...KEY, subset: 1 }).config.data.imbalance).toEqual({ kind: 'exponential', factor: 100 });
  });

  it('shortens the warm-up where fewer epochs are asked for', () => {
    expect(cellOf(KEY, { epochs: 3 }).config).toMatchObject({ epochs: 3, schedule: { warmUpEpochs: 2 } });
  });

  it('changes its hash with everything that is trained differently', () => {
    const hashes = [
      cellOf(KEY),
      cellOf({ ...KEY, seed: 4 }),
      cellOf(KEY, { epochs: 3 }),
      cellOf(KEY, { device: 'cuda' }),
    ];
    expect(new Set(hashes.map(({ configHash }) => configHash)).size).toBe(4);
  });
});

it('Table 1 has one scale: full size', () => {
  expect(SCALES.map((scale) => scaleOf('table1', scale))).toEqual(['paper', 'paper']);
  expect(SCALES.map((scale) => scaleOf('table2', scale))).toEqual(['paper', 'cpu']);
  expect(SCALES.map((scale) => scaleOf('transformers', scale))).toEqual(['cpu', 'cpu']);
});

it('a cell has a run folder of its own, which does not lie in that of another', () => {
  expect(cellFolder('runs', KEY)).toBe('runs/cifar10-lt/fl/enhancement/3');
  expect(cellFolder('runs', { ...KEY, subset: 2 })).toBe('runs/cifar10-lt/fl/enhancement/3-subset-2');
});
